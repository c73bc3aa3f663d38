import { run } from 'effection';
import { createMcpTool, isParleyError } from 'parley-mcp';
import { createMemoryStore } from 'parley-mcp/stores';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { plan } from './kit/durable-tools.ts';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { type Message, openSession, send } from './kit/wire.ts';

async function start(
  options: Partial<Parameters<typeof startServer>[0]> = {},
  handler?: Parameters<typeof startServer>[1],
) {
  const { tools, witness } = testTools();
  return { ...(await startServer({ tools, ...options }, handler)), witness };
}

const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const isAnswer = ({ result, error }: Message) => result !== undefined || error !== undefined;
const call = (name: string, more: object = {}) => ({ name, arguments: {}, ...more });

it('answers with JSON when there is nothing but the answer, and it comes soon', async () => {
  const { url } = await start({}, { limits: { streamAfter: 60_000 } });
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(await reply.rest()).toEqual([
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'hi' }] } },
  ]);
});

it('asks on the stream of the call, and goes on with the answer', async () => {
  const { url } = await start();
  const session = await openSession(url);
  const reply = await session.request(0, 'tools/call', call('ask_seat'));
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  const question = await reply.until(isQuestion);
  expect(question.params).toMatchObject({ message: 'Which row on KL1?' });
  expect((await session.answer(question.id ?? '', { action: 'accept', content: { row: 3 } })).status).toBe(
    202,
  );
  expect(await reply.until(isAnswer)).toMatchObject({
    id: 0,
    result: { content: [{ text: 'row 3 on KL1' }] },
  });
});

it('takes a refused question for a decline, and any other error for one', async () => {
  const asking = createMcpTool('asking')
    .description('Asks')
    .parameters(z.object({}))
    .elicits({ sure: z.object({ yes: z.boolean() }) })
    .execute(function* (_params, ctx) {
      try {
        return (yield* ctx.elicit('sure', { message: 'Sure?' })).action;
      } catch (error) {
        return isParleyError(error) ? error.code : 'unknown';
      }
    });
  const { url } = await start({ tools: [asking] });
  const session = await openSession(url);
  for (const [id, code, expected] of [
    [1, -1, 'decline'],
    [2, -32603, 'ELICITATION_FAILED'],
  ] as const) {
    const reply = await session.request(id, 'tools/call', call('asking'));
    const question = await reply.until(isQuestion);
    await send(url, {
      headers: session.headers,
      body: { jsonrpc: '2.0', id: question.id, error: { code, message: 'User rejected it' } },
    });
    expect((await reply.until(isAnswer)).result.content[0].text).toBe(expected);
  }
});

it('asks again what was answered wrongly, says what was wrong, and gives up after three answers', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat'));
  const messages: string[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const question = await reply.until(isQuestion);
    messages.push(question.params.message);
    await session.answer(question.id ?? '', { action: 'accept', content: { row: 99 } });
  }
  expect(messages[0]).toBe('Which row on KL1?');
  expect(messages[1]).toMatch(/^row: .*30[\s\S]*\n\nWhich row on KL1\?$/);
  const { result } = await reply.until(isAnswer);
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toContain('was not valid');
  expect(witness.ended).toBe(1);
});

it.each([[{}], [{ action: 'maybe' }], [{ action: 'accept', content: 'row 3' }]])(
  'asks again when the answer is none: %j',
  async (nonsense) => {
    const { url } = await start();
    const session = await openSession(url);
    const reply = await session.request(1, 'tools/call', call('ask_seat'));
    const first = await reply.until(isQuestion);
    await session.answer(first.id ?? '', nonsense);
    const second = await reply.until(isQuestion);
    await session.answer(second.id ?? '', { action: 'decline' });
    expect(await reply.until(isAnswer)).toMatchObject({ result: { content: [{ text: 'decline' }] } });
  },
);

it('stops a cancelled call, also one with the request id 0, and does not answer it', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  for (const id of [0, 'zero', '']) {
    const before = witness.ended;
    const reply = await session.request(id, 'tools/call', call('ask_seat'));
    const question = await reply.until(isQuestion);
    await session.notify('notifications/cancelled', { requestId: id, reason: 'changed my mind' });
    const rest = await reply.rest();
    expect(rest.filter(isAnswer)).toEqual([]);
    // The question is taken back, too.
    expect(rest).toContainEqual(
      expect.objectContaining({
        method: 'notifications/cancelled',
        params: expect.objectContaining({ requestId: question.id }),
      }),
    );
    await vi.waitFor(() => expect(witness.ended).toBe(before + 1));
  }
});

it('shows that a call lives while its user is asked', async () => {
  const { url } = await start({ heartbeat: 20 });
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat', { _meta: { progressToken: 0 } }));
  const question = await reply.until(isQuestion);
  const beats: number[] = [];
  while (beats.length < 3) {
    const { params } = await reply.until(({ method }) => method === 'notifications/progress');
    expect(params).toMatchObject({ progressToken: 0 });
    beats.push(params.progress);
  }
  expect(beats).toEqual([...beats].sort((a, b) => a - b));
  await session.answer(question.id ?? '', { action: 'cancel' });
  const rest = await reply.rest();
  expect(rest.findIndex(isAnswer)).toBe(rest.length - 1);
});

it('sends an open question again, under the same id, to a client that comes back for it', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat'));
  const primed = await reply.next();
  expect(primed).toMatchObject({ message: undefined });
  const question = await reply.until(isQuestion);
  reply.drop();

  const resumed = await session.get(primed?.id);
  const again = await resumed.until(isQuestion);
  expect(again).toEqual(question);
  await session.answer(again.id ?? '', { action: 'accept', content: { row: 7 } });
  expect(await resumed.until(isAnswer)).toMatchObject({
    id: 1,
    result: { content: [{ text: 'row 7 on KL1' }] },
  });
  expect(witness).toEqual({ started: 1, ended: 1 });
});

it('keeps the answer for a client that lost the connection before it came', async () => {
  const { url } = await start();
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat'));
  let last: string | undefined;
  for (let event = await reply.next(); event; event = await reply.next()) {
    last = event.id;
    if (event.message && isQuestion(event.message)) {
      reply.drop();
      await session.answer(event.message.id ?? '', { action: 'accept', content: { row: 7 } });
      break;
    }
  }
  const resumed = await session.get(last);
  expect(await resumed.rest()).toMatchObject([{ id: 1, result: { content: [{ text: 'row 7 on KL1' }] } }]);
});

it('resumes no stream after an event that it has not come to: what came until there would be lost', async () => {
  const { url } = await start();
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat'));
  await reply.until(isQuestion);
  for (const event of ['1-9', '1-999999999999', '0-9', '2-0', 'x'])
    expect((await session.get(event)).status, event).toBe(400);
  expect((await session.get('1-1')).status).toBe(200);
});

it('knows no session of before it was started again: its client begins anew, also with a store', async () => {
  const state = createMemoryStore();
  const first = await start({ state });
  const session = await openSession(first.url);
  const asking = await session.request(1, 'tools/call', call('ask_seat'));
  await asking.until(isQuestion);
  await first.close();
  const { url } = await start({ state });
  const headers = { ...session.headers };
  const refused = await send(url, { method: 'GET', headers });
  expect([refused.status, (await refused.next())?.message?.error]).toEqual([
    404,
    { code: -32001, message: 'Session not found' },
  ]);
  const again = await openSession(url);
  const reply = await again.request(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
  expect(await reply.until(isAnswer)).toMatchObject({ result: { content: [{ text: 'hi' }] } });
});

it('leaves a durable call that asks in its store when the server stops, and ends it with its client', async () => {
  const state = createMemoryStore();
  const asking = async () => {
    const { url, close } = await start({ state, tools: [plan] });
    const session = await openSession(url);
    const reply = await session.request(1, 'tools/call', { name: 'plan', arguments: { to: 'LIS' } });
    await reply.until(isQuestion);
    return { session, close };
  };
  await (await asking()).close();
  expect(await run(() => state.list())).toMatchObject([{ held: false, ended: false }]);
  const { session } = await asking();
  const standing = async () => (await run(() => state.list())).map((call) => [call.held, call.ended]);
  await expect.poll(standing).toContainEqual([true, false]);
  await session.delete();
  await expect.poll(standing).toEqual([
    [false, true],
    [false, false],
  ]);
});

it('ends the calls of a client that vanished and does not come back', async () => {
  const { url, witness } = await start({}, { limits: { resumeGrace: 50 } });
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('ask_seat'));
  await reply.until(isQuestion);
  reply.drop();
  await vi.waitFor(() => expect(witness.ended).toBe(1));
});

it('ends the calls of a session that is deleted, and knows it no more', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call('idle', { _meta: { progressToken: 'p' } }));
  await reply.until(({ method }) => method === 'notifications/progress');
  expect((await session.delete()).status).toBe(200);
  await vi.waitFor(() => expect(witness.ended).toBe(1));
  expect((await session.request(2, 'ping')).status).toBe(404);
});

it('answers before and without a session with 4xx and a JSON-RPC body', async () => {
  const { url } = await start();
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const [init, status] of [
    [{ body }, 400],
    [{ method: 'GET' }, 400],
    [{ body, headers: { 'mcp-session-id': 'no-such-session' } }, 404],
    [{ body, headers: { accept: 'application/json' } }, 406],
    [{ raw: '{', headers: {} }, 400],
    [{ body: { id: 1 } }, 400],
    [{ raw: 'text', headers: { 'content-type': 'text/plain' } }, 415],
    [{ method: 'PUT', body }, 405],
  ] as const) {
    const reply = await send(url, init);
    expect(reply.status).toBe(status);
    expect((await reply.next())?.message?.error).toMatchObject({ code: expect.any(Number) });
  }
});

it('serves a batch as one answer, and refuses a request whose id is still in use', async () => {
  const { url } = await start();
  const session = await openSession(url, {}, {}, '2025-03-26');
  const echo = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: String(id) } },
  });
  const batch = await send(url, { headers: session.headers, body: [echo(1), echo(2)] });
  expect((await batch.rest()).map(({ id }) => id)).toEqual([1, 2]);

  const first = await session.request(5, 'tools/call', call('idle'));
  const second = await session.request(5, 'tools/call', call('idle'));
  expect(second.status).toBe(400);
  first.drop();
});

it('filters the log by the level that the client sets', async () => {
  const { url } = await start();
  const session = await openSession(url);
  const bad = await session.request(1, 'logging/setLevel', { level: 'loud' });
  expect((await bad.next())?.message?.error).toMatchObject({ code: -32602 });
  const good = await session.request(2, 'logging/setLevel', { level: 'error' });
  expect((await good.next())?.message?.result).toEqual({});
});

it('makes room for a new session by ending the one that idles longest, and never a busy one', async () => {
  const { url } = await start({}, { limits: { maxSessions: 2 } });
  const busy = await openSession(url);
  const running = await busy.request(1, 'tools/call', call('ask_seat'));
  await running.until(isQuestion);
  const idle = await openSession(url);
  const third = await openSession(url);
  expect((await idle.request(2, 'ping')).status).toBe(404);
  const busyAgain = await third.request(1, 'tools/call', call('ask_seat'));
  await busyAgain.until(isQuestion);
  await expect(openSession(url)).rejects.toThrow('503');
  running.drop();
  busyAgain.drop();
});

it('lets others in when one principal holds every session and listens on all of them', async () => {
  const tokens = ['ada', 'bob'].map((name) => ({ token: `token-of-${name}`, principal: { name } }));
  const { url } = await start({}, { tokens, limits: { maxSessions: 20 } });
  const open = (name: string) =>
    openSession(url, { elicitation: {} }, { authorization: `Bearer token-of-${name}` });
  const mine = await open('bob');
  const listening = await mine.get();
  const all: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 30; n++) {
    const session = await open('ada');
    await session.get();
    all.push(session);
  }
  const other = await open('bob');
  for (const session of [mine, other, all.at(-1)]) {
    const reply = await session?.request(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect((await reply?.until(isAnswer))?.result).toMatchObject({ content: [{ text: 'hi' }] });
  }
  expect((await all[0]?.request(1, 'ping'))?.status).toBe(404);
  listening.drop();
});
