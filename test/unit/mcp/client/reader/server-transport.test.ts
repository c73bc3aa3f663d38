import * as sdk from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { gateLines } from '#src/mcp/client/link.ts';
import { ServerTransport } from '#src/mcp/client/reader/server-transport.ts';

/** A transport of ours with a clock that stands still, on one of a server, and what passed it in either direction. */
function gated(failing = false) {
  let time = 0;
  let taken: () => void = () => {};
  const passed: sdk.JSONRPCMessage[] = [];
  const sent: sdk.JSONRPCMessage[] = [];
  const problems: string[] = [];
  const inner: sdk.Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      sent.push(message);
      if (failing) throw new Error('closed');
      // An answer is taken when the server reads it.
      if (!('method' in message)) await new Promise<void>((resolve) => (taken = resolve));
    },
  };
  const warn = (problem: string) => void problems.push(problem);
  const transport = new ServerTransport(sdk, inner, { warn }, () => time);
  transport.onmessage = (message) => passed.push(message);
  const send = (message: object) => transport.send({ jsonrpc: '2.0', ...message } as sdk.JSONRPCMessage);
  return {
    passed,
    sent,
    problems,
    send,
    receive: (message: object) => inner.onmessage?.({ jsonrpc: '2.0', ...message } as sdk.JSONRPCMessage),
    answer: (id: number) => send({ id, result: {} }),
    /** The server reads the answer that was sent last. */
    read: () => taken(),
    tick: () => {
      time += 1_000;
    },
  };
}

describe('what reads a server’s messages', () => {
  it('lets 500 notifications a second pass, and says once that there were more', () => {
    const gate = gated();
    for (let second = 0; second < 3; second++) {
      for (let at = 0; at < 10_000; at++) gate.receive({ method: 'notifications/message', params: {} });
      expect(gate.passed).toHaveLength(500 * (second + 1));
      gate.tick();
    }
    expect(gate.problems).toEqual(['it sends more than 500 notifications a second: the rest is dropped']);
  });

  it('lets answers and cancellations pass during a flood', () => {
    const gate = gated();
    for (let at = 0; at < 1_000; at++) gate.receive({ method: 'notifications/message', params: {} });
    gate.receive({ id: 1, result: {} });
    gate.receive({ method: 'notifications/cancelled', params: { requestId: 7 } });
    expect(gate.passed).toHaveLength(502);
  });

  it('refuses more than 64 open requests, and only as many refusals wait', () => {
    const gate = gated();
    for (let id = 0; id < 10_000; id++) gate.receive({ id, method: 'ping' });
    expect(gate.passed).toHaveLength(64);
    expect(gate.sent).toHaveLength(64);
    expect(gate.sent[0]).toMatchObject({ id: 64, error: { message: expect.stringContaining('64 at most') } });
  });

  it('counts a request as open until the server has taken its answer', async () => {
    const gate = gated();
    for (let id = 0; id < 64; id++) gate.receive({ id, method: 'ping' });
    const answered = gate.answer(0);
    gate.receive({ id: 100, method: 'ping' });
    expect(gate.passed).toHaveLength(64);
    const gate2 = gated();
    for (let id = 0; id < 64; id++) gate2.receive({ id, method: 'ping' });
    const taken = gate2.answer(0);
    gate2.read();
    await taken;
    gate2.receive({ id: 100, method: 'ping' });
    expect(gate2.passed).toHaveLength(65);
    expect(answered).toBeInstanceOf(Promise);
  });

  it('takes a request once, however often it comes with the same id', () => {
    const gate = gated();
    for (let at = 0; at < 10_000; at++) gate.receive({ id: 1, method: 'ping' });
    expect(gate.passed).toHaveLength(1);
  });

  it('takes a withdrawn request as closed', () => {
    const gate = gated();
    for (let id = 0; id < 64; id++) gate.receive({ id, method: 'ping' });
    gate.receive({ method: 'notifications/cancelled', params: { requestId: 0 } });
    gate.receive({ id: 100, method: 'ping' });
    expect(gate.passed.at(-1)).toMatchObject({ id: 100 });
  });
});

it('a log takes 200 lines a second of one server, the last of which says that there were more', () => {
  let time = 0;
  const lines: string[] = [];
  const log = gateLines(
    ({ message }) => lines.push(message),
    () => time,
  );
  for (let second = 1; second <= 2; second++) {
    for (let at = 0; at < 10_000; at++) log({ level: 'info', message: 'x' });
    expect(lines).toHaveLength(200 * second);
    expect(lines.at(-1)).toContain('the rest is dropped');
    time += 1_000;
  }
});

const task = { resultType: 'task', taskId: 't', status: 'working' };

describe('a call that was given up', () => {
  /** What is sent, and what passes, when a call that was given up is answered. */
  const answered = async (
    result: object,
    { params = {}, isGivenUp = true, times = 1, failing = false } = {},
  ) => {
    const gate = gated(failing);
    await gate.send({ id: 1, method: 'tools/call', params }).catch(() => {});
    if (isGivenUp)
      await gate.send({ method: 'notifications/cancelled', params: { requestId: 1 } }).catch(() => {});
    for (let at = 0; at < times; at++) gate.receive({ id: 1, result });
    gate.receive({ id: 'late t', result: {} });
    // What nobody catches fails the run.
    await new Promise(setImmediate);
    const cancels = gate.sent.filter((one) => 'method' in one && one.method === 'tasks/cancel');
    return { cancels, passed: gate.passed };
  };

  it('and becomes a task of 2026-07-28 is cancelled in the name of its client; nobody else hears of it', async () => {
    const { cancels, passed } = await answered(task, {
      params: { _meta: { version: 'x', progressToken: 9 } },
    });
    const params = { taskId: 't', _meta: { version: 'x' } };
    expect(cancels).toEqual([{ jsonrpc: '2.0', id: 'late t', method: 'tasks/cancel', params }]);
    expect(passed).toEqual([]);
  });

  it('and becomes a task of 2025-11-25 is cancelled', async () => {
    const { cancels } = await answered({ task: { taskId: 't', status: 'working' } });
    expect(cancels).toMatchObject([{ params: { taskId: 't' } }]);
  });

  it('and is answered all the same, or in a way that says nothing, cancels nothing', async () => {
    for (const result of [{ content: [] }, { task: 7 }, { resultType: 'task', taskId: 7 }])
      expect((await answered(result)).cancels).toEqual([]);
  });

  it('is cancelled once, whatever is answered how often', async () => {
    expect((await answered(task, { times: 1_000 })).cancels).toHaveLength(1);
  });

  it('is none where somebody waits for it: it becomes a task as ever', async () => {
    const { cancels, passed } = await answered(task, { isGivenUp: false });
    expect(cancels).toEqual([]);
    expect(passed).toMatchObject([{ id: 1 }, {}]);
  });
});

it('keeps no more than a thousand requests, though none is ever answered', async () => {
  const gate = gated();
  for (let id = 0; id < 10_000; id++) {
    await gate.send({ id, method: 'tools/call' });
    if (id % 2 === 0) await gate.send({ method: 'notifications/cancelled', params: { requestId: id } });
  }
  for (let id = 0; id < 10_000; id++) gate.receive({ id, result: task });
  expect(gate.sent.filter((one) => 'method' in one && one.method === 'tasks/cancel')).toHaveLength(500);
});
