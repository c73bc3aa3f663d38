import { expect, test } from 'vitest';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import { callLog } from '#src/vscode/log/call-log.ts';

/** What a call of a tool with these parameters writes, given its events. */
function written(params: unknown, events: readonly object[]) {
  const lines: unknown[] = [];
  const log = { call: (...line: readonly unknown[]) => void lines.push(line.slice(2)) };
  const tell = callLog(log, { toolName: 'deploy', params });
  for (const [at, event] of events.entries()) tell({ at, time: 0, depth: 0, ...event } as SessionEvent);
  return lines;
}

const said = (message: string, data?: unknown) => ({ type: 'log', level: 'info', message, data });

test('a line of a call is written as it was said', () => {
  expect(written({ host: 'example.com' }, [said('to example.com', { port: 22 }), said('done')])).toEqual([
    ['to example.com', { port: 22 }],
    ['done', undefined],
  ]);
});

test('a secret that the call was given is masked wherever it is said', () => {
  const lines = written({ token: 'abc-12345', password: 'hunter2!' }, [
    said('logging in with hunter2!', { header: 'x abc-12345' }),
  ]);
  expect(lines).toEqual([['logging in with ***', { header: 'x ***' }]]);
});

test('a secret that a person answered with is masked from then on', () => {
  const answer = { type: 'answer', content: { passphrase: 'correct horse' } };
  expect(written({}, [answer, said('got correct horse')])).toEqual([['got ***', undefined]]);
});

test('what looks like a secret is masked, whatever it is called', () => {
  const key = `sk-${'a1'.repeat(12)}`;
  expect(written({}, [said(`key ${key}`), said('x', { note: `//ada:secret1@example.com` })])).toEqual([
    ['***', undefined],
    ['x', { note: '***' }],
  ]);
});

test('parameters that are no JSON keep no line back', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(written(cycle, [said('on')])).toEqual([['on', undefined]]);
});
