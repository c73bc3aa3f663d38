import { describe, expect, it } from 'vitest';
import type { SessionHappening } from '#src/runtime/session/events.ts';
import { taskLines } from '#src/vscode/authoring/tasks/task-lines.ts';
import { readToolTask } from '#src/vscode/authoring/tasks/tool-task.ts';

const t = (message: string, ...values: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');
const allLines = (params: unknown, events: readonly SessionHappening[]) => {
  const linesOf = taskLines(params, t);
  return events.flatMap((event, at) => linesOf({ at, time: 0, ...event }));
};
const lines = (event: SessionHappening) => allLines({}, [event]);

describe('a task', () => {
  it('is a tool, with parameters or without', () => {
    expect(readToolTask({ type: 'parley', tool: 'a' })).toEqual({ tool: 'a', params: undefined });
    expect(readToolTask({ tool: 'a', params: { x: 1 } })).toEqual({ tool: 'a', params: { x: 1 } });
    expect(() => readToolTask({ type: 'parley' })).toThrow('"tool": "NAME"');
    expect(() => readToolTask({ tool: 'a', params: 'x' })).toThrow('parameters of a tool are an object');
  });

  it('shows what its call says, and how it ends', () => {
    expect(lines({ type: 'progress', message: 'Half', depth: 0 })).toEqual(['Half']);
    expect(lines({ type: 'result', value: { a: 1 } })).toEqual(['{', '  "a": 1', '}']);
    expect(lines({ type: 'result', value: [{ type: 'text', text: 'one\ntwo' }] })).toEqual(['one', 'two']);
    expect(lines({ type: 'result', value: undefined })).toEqual([]);
    expect(lines({ type: 'aborted', reason: 'by hand' })).toEqual(['Stopped: by hand']);
    expect(lines({ type: 'error', error: { name: 'Error', message: 'no' } })).toEqual(['Failed: no']);
  });

  it('tells no secret of its call, and shows what the tool returns as it is', () => {
    const said = (message: string) => ({ type: 'log', level: 'info', message, depth: 0 }) as const;
    expect(
      allLines({ password: 'hunter2!' }, [
        said('logging in with hunter2!'),
        { type: 'progress', message: 'hunter2! is right', depth: 0 },
        {
          type: 'ask_closed',
          id: 'q',
          how: 'answered',
          answer: { content: { passphrase: 'correct horse' } },
        },
        said('got correct horse'),
        said(`key sk-${'a1'.repeat(12)}`),
        { type: 'error', error: { name: 'Error', message: 'no such user: hunter2!' } },
      ]),
    ).toEqual([
      'info: logging in with ***',
      '*** is right',
      'info: got ***',
      'info: ***',
      'Failed: no such user: ***',
    ]);
    expect(allLines({ token: 'abc-12345' }, [{ type: 'result', value: 'abc-12345' }])).toEqual(['abc-12345']);
  });

  it('lets no text of a tool move the cursor of its terminal', () => {
    const hostile = '\u001b]0;mine\u0007\u001b[2J';
    for (const event of [
      { type: 'progress', message: hostile, depth: 0 },
      { type: 'log', level: 'info', message: hostile, depth: 0 },
      { type: 'result', value: hostile },
      { type: 'error', error: { name: 'E', message: hostile } },
      { type: 'aborted', reason: hostile },
    ] as const) {
      expect(lines(event).join('')).not.toContain('\u001b');
    }
  });
});
