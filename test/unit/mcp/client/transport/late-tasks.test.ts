import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { LateTasks } from '#src/mcp/client/transport/late-tasks.ts';

function watched(send: (message: JSONRPCMessage) => Promise<void> = async () => {}) {
  const sent: JSONRPCMessage[] = [];
  const late = new LateTasks(async (message) => {
    sent.push(message);
    await send(message);
  });
  const message = (rest: object) => ({ jsonrpc: '2.0', ...rest }) as JSONRPCMessage;
  return {
    late,
    sent,
    call: (id: number, params: object = {}) =>
      late.sent(message({ id, method: 'tools/call', params: { name: 'any', ...params } })),
    giveUp: (requestId: number) =>
      late.sent(message({ method: 'notifications/cancelled', params: { requestId } })),
    answer: (id: number | string, result: object) => late.takes(message({ id, result })),
  };
}

const task = { resultType: 'task', taskId: 't', status: 'working' };

describe('a call that was given up', () => {
  it('and becomes a task of 2026-07-28 is cancelled in the name of its client; nobody else hears of it', () => {
    const { sent, call, giveUp, answer } = watched();
    call(1, { _meta: { version: 'x', progressToken: 9 } });
    giveUp(1);
    expect(answer(1, task)).toBe(true);
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 'late t',
        method: 'tasks/cancel',
        params: { taskId: 't', _meta: { version: 'x' } },
      },
    ]);
    expect(answer('late t', {})).toBe(true);
  });

  it('and becomes a task of 2025-11-25 is cancelled', () => {
    const { sent, call, giveUp, answer } = watched();
    call(1);
    giveUp(1);
    expect(answer(1, { task: { taskId: 't', status: 'working' } })).toBe(true);
    expect(sent).toMatchObject([{ method: 'tasks/cancel', params: { taskId: 't' } }]);
  });

  it('and is answered all the same, or in a way that says nothing, is let pass', () => {
    const { sent, call, giveUp, answer } = watched();
    for (const [id, result] of [{ content: [] }, { task: 7 }, { resultType: 'task', taskId: 7 }].entries()) {
      call(id);
      giveUp(id);
      expect(answer(id, result)).toBe(false);
    }
    expect(sent).toEqual([]);
  });

  it('and becomes a task of a server that is gone harms nobody', async () => {
    const { sent, call, giveUp, answer } = watched(async () => {
      throw new Error('closed');
    });
    call(1);
    giveUp(1);
    expect(answer(1, task)).toBe(true);
    expect(sent).toHaveLength(1);
    // What nobody catches fails the run.
    await new Promise(setImmediate);
  });

  it('is cancelled once, whatever is answered how often', () => {
    const { sent, call, giveUp, answer } = watched();
    call(1);
    giveUp(1);
    for (let at = 0; at < 1_000; at++) answer(1, task);
    expect(sent).toHaveLength(1);
  });
});

describe('a call that somebody waits for', () => {
  it('becomes a task as ever', () => {
    const { sent, call, giveUp, answer } = watched();
    call(1);
    expect(answer(1, task)).toBe(false);
    giveUp(1);
    expect(answer(1, task)).toBe(false);
    expect(sent).toEqual([]);
  });
});

it('keeps no more than a thousand calls, though none is ever answered', () => {
  const { late, call, giveUp } = watched();
  for (let id = 0; id < 10_000; id++) {
    call(id);
    if (id % 2 === 0) giveUp(id);
  }
  expect(late.size).toBe(1_000);
});
