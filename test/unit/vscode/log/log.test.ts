import { describe, expect, it } from 'vitest';
import { LOG_LEVELS } from '#src/core/tool/context.ts';
import { formatData, formatError } from '#src/vscode/log/format.ts';
import { channelLevel, levelPrefix } from '#src/vscode/log/levels.ts';
import { traceOf } from '#src/vscode/log/trace.ts';
import type { StackMaps } from '#src/workspace/load/stack-maps.ts';

describe('levels', () => {
  it('become the channel’s, and keep their name where that would lose it', () => {
    expect(LOG_LEVELS.map((level) => `${channelLevel(level)} ${levelPrefix(level)}`.trim())).toEqual([
      'debug',
      'info',
      'info [notice]',
      'warn',
      'error',
      'error [critical]',
      'error [alert]',
      'error [emergency]',
    ]);
  });
});

describe('formatData', () => {
  it('masks secrets at any depth and keeps the rest', () => {
    expect(
      formatData({
        user: 'ada',
        password: 'hunter2',
        nested: [{ apiKey: 'k', access_token: 't', maxTokens: 5, Authorization: 'Bearer x' }],
      }),
    ).toBe(
      '{"user":"ada","password":"•••","nested":[{"apiKey":"•••","access_token":"•••","maxTokens":5,"Authorization":"•••"}]}',
    );
  });

  it('survives what is not JSON, and cuts what is too long', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(formatData(cycle)).toMatch(/^\(not JSON: /);
    expect(formatData(undefined)).toBe('');
    expect(formatData('x'.repeat(30_000)).length).toBeLessThan(20_100);
  });
});

/** Maps one place, as the maps of a tool's file do. */
const stackMaps: Pick<StackMaps, 'frames'> = {
  frames: (stack) =>
    stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => {
        const text = line.trim();
        return text.includes('prices.ts')
          ? { text, place: { file: '/w/tools/prices.ts', line: 3, column: 9 } }
          : { text };
      }),
};
const own = '    at readPrices (/w/tools/prices.ts:3:9)';
const internal = '    at run (/parley/dist/extension.js:1:2)';

function failed(message: string, frames: readonly string[], more: object = {}) {
  return { name: 'Error', message, stack: [`Error: ${message}`, ...frames].join('\n'), ...more };
}

describe('formatError', () => {
  it('shows name, code, the lines of the author’s files, and every cause', () => {
    const cause = failed('inner', [own, internal], { name: 'TypeError' });
    const error = failed('outer', [own, internal, internal], { code: 'HANDLER', cause });
    expect(formatError(error, stackMaps).split('\n')).toEqual([
      'Error: outer (HANDLER)',
      own,
      '    (2 internal frames)',
      'caused by: TypeError: inner',
      own,
      '    (1 internal frames)',
    ]);
  });

  it('shows all frames of a fault that is not an author’s', () => {
    expect(formatError(failed('ours', [internal]), stackMaps)).toBe(`Error: ours\n${internal}`);
  });

  it('shows what is not an error, and error data', () => {
    expect(formatError('text', stackMaps)).toBe('text');
    expect(formatError({ name: 'ViewError', message: 'm', code: 'VIEW' }, stackMaps)).toBe(
      'ViewError: m (VIEW)',
    );
  });

  it('shows each error of several, with its causes, up to a number', () => {
    const errors = [
      new Error('no seat', { cause: new TypeError('full') }),
      new Error('no train'),
      ...Array.from({ length: 100 }, (_, at) => new Error(`try ${at}`)),
    ];
    const text = formatError(new AggregateError(errors, 'All promises were rejected'), stackMaps);
    const titles = text.split('\n').filter((line) => /All promises|caused by/.test(line));
    expect(titles).toHaveLength(8);
    expect(titles.join(' ')).toMatch(/All promises.*no seat.*full.*no train.*try 0/);
  });

  it('ends in a circle of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(formatError(error, stackMaps).match(/caused by/g)).toHaveLength(7);
  });
});

describe('a trace', () => {
  const parts = { stackMaps, nameOf: (file: string) => file.replace('/w/', '') };

  it('has the author’s lines apart from all others, for the error and each cause', () => {
    const cause = failed('no such file', [internal]);
    expect(traceOf(failed('no prices', [own, internal], { name: 'TypeError', cause }), parts)).toEqual([
      {
        title: 'TypeError: no prices',
        own: [
          {
            text: 'readPrices (/w/tools/prices.ts:3:9)',
            label: 'tools/prices.ts:3:9',
            place: { file: '/w/tools/prices.ts', line: 3, column: 9 },
          },
        ],
        internal: [internal.trim()],
      },
      { title: 'no such file', own: [], internal: [internal.trim()] },
    ]);
  });

  it.each([
    [{ name: 'TypeError', message: 'x is not a function' }, 'TypeError: x is not a function'],
    [{ name: 'Error', message: 'Try again.' }, 'Try again.'],
    [{ name: 'McpTimeoutError', code: 'TIMEOUT', message: 'It took too long.' }, 'It took too long.'],
    [{ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: 'bad' }, 'TypeError: bad'],
    ['a text', 'a text'],
  ])('keeps the class of %o, unless that says nothing', (thrown, title) => {
    expect(traceOf(thrown, parts)[0]?.title).toBe(title);
  });
});
