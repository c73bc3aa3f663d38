import { type Operation, run, spawn } from 'effection';
import { expect, it } from 'vitest';
import { Questions } from '#src/mcp/era-2025/questions.ts';
import type { RpcId, RpcMessage } from '#src/mcp/wire/rpc/json-rpc.ts';

/** A connection that asks, and what it has sent, each with the request that it belongs to. */
function asking(lost?: Error) {
  const sent: (readonly [RpcMessage, RpcId | undefined])[] = [];
  const questions = new Questions(async (...message) => {
    if (lost) throw lost;
    sent.push([message[0], message[1]]);
  });
  const ask = (timeout = 60_000): Operation<unknown> =>
    questions.ask({ kind: 'roots', params: {}, of: 'call', client: 'mcp client "x"', timeout });
  return { questions, sent, ask };
}

const withdrawn = (requestId: RpcId) => [
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: expect.objectContaining({ requestId }) },
  'call',
];

it('a question has an id from 1 on, and is answered once; what else is answered is nobody’s', async () => {
  const { questions, sent, ask } = asking();
  await run(function* () {
    const answer = yield* spawn(ask);
    yield* spawn(function* () {
      questions.answered({ jsonrpc: '2.0', id: 7, result: { roots: ['other'] } });
      for (const roots of [['one'], ['two']])
        questions.answered({ jsonrpc: '2.0', id: 1, result: { roots } });
    });
    expect(yield* answer).toEqual({ roots: ['one'] });
  });
  expect(sent).toEqual([[{ jsonrpc: '2.0', id: 1, method: 'roots/list', params: {} }, 'call']]);
});

it('a question that is given up, or gets no answer in time, is taken back', async () => {
  const { sent, ask } = asking();
  const task = run(ask);
  await Promise.resolve();
  await task.halt();
  expect(sent.slice(1)).toEqual([withdrawn(1)]);
  await expect(run(() => ask(1))).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(sent.slice(3)).toEqual([withdrawn(2)]);
});

it('a question fails when its client goes, or cannot be reached', async () => {
  const { questions, ask } = asking();
  const open = run(ask);
  await Promise.resolve();
  questions.close();
  await expect(open).rejects.toMatchObject({ code: 'DISCONNECTED' });
  await expect(run(asking(new Error('gone')).ask)).rejects.toMatchObject({ code: 'DISCONNECTED' });
});
