import { describe, expect, it } from 'vitest';
import { LOG_LEVELS } from '../../../../src/core/tool/context.ts';
import { formatData, formatError } from '../../../../src/vscode/log/format.ts';
import { channelLevel, levelPrefix } from '../../../../src/vscode/log/levels.ts';

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

describe('formatError', () => {
  it('shows name, code, frames and every cause', () => {
    const cause = new TypeError('inner');
    const error = Object.assign(new Error('outer', { cause }), { code: 'HANDLER' });
    const text = formatError(error);
    expect(text).toContain('Error: outer (HANDLER)\n    at ');
    expect(text).toContain('\ncaused by: TypeError: inner\n    at ');
  });

  it('shows what is not an error, and error data', () => {
    expect(formatError('text')).toBe('text');
    expect(formatError({ name: 'ViewError', message: 'm', code: 'VIEW' })).toBe('ViewError: m (VIEW)');
  });

  it('ends in a circle of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(formatError(error).match(/caused by/g)).toHaveLength(7);
  });
});
