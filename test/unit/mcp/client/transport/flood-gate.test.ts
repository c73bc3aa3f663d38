import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { gateFloods, gateLines } from '#src/mcp/client/transport/flood-gate.ts';

/** A gate with a clock that stands still, and what passed it in either direction. */
function gated() {
  let time = 0;
  let taken: () => void = () => {};
  const passed: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  const problems: string[] = [];
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: (message) => {
      sent.push(message);
      return new Promise((resolve) => {
        taken = resolve;
      });
    },
  };
  gateFloods(
    transport,
    (problem) => problems.push(problem),
    undefined,
    () => time,
  );
  transport.onmessage = (message) => passed.push(message);
  return {
    passed,
    sent,
    problems,
    receive: (message: object) => transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage),
    answer: (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} }),
    /** The server reads the answer that was sent last. */
    read: () => taken(),
    tick: () => {
      time += 1_000;
    },
  };
}

describe('the gate against floods', () => {
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
