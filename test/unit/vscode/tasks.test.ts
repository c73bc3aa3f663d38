import { describe, expect, it } from 'vitest';
import type { SessionHappening } from '#src/runtime/session/events.ts';
import { linesOf } from '#src/vscode/tasks/task-lines.ts';
import { readToolTask } from '#src/vscode/tasks/tool-task.ts';

const t = (message: string, ...values: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');
const lines = (event: SessionHappening) => linesOf({ at: 1, time: 0, ...event }, t);

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
