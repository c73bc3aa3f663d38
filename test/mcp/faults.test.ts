import * as fc from 'fast-check';
import { createMcpPrompt, createMcpResource } from 'parley-mcp';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { inRings } from '#test/rings.ts';
import { startServer } from './kit/in-process.ts';
import { bookFlight, serveHttp } from './kit/parley-serve.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, type Message, openSession, send, stateless } from './kit/wire.ts';

async function start(...[options, handler]: [object?, Parameters<typeof startServer>[1]?]) {
  const { tools, witness } = testTools();
  const running = await startServer({ tools, ...options }, handler);
  return { ...running, witness };
}

const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const isAnswer = ({ result, error }: Message) => result !== undefined || error !== undefined;
const row = (number: number) => ({ action: 'accept', content: { row: number } });

describe('malformed JSON-RPC', () => {
  const method = fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'prompts/get',
    'resources/read',
    'completion/complete',
    'logging/setLevel',
    'notifications/cancelled',
    'notifications/initialized',
    'server/discover',
    '',
    '__proto__',
  );
  const params = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      {
        name: fc.oneof(fc.constantFrom('echo', '__proto__', 'constructor'), fc.jsonValue({ maxDepth: 1 })),
        arguments: fc.jsonValue({ maxDepth: 2 }),
        cursor: fc.jsonValue({ maxDepth: 1 }),
        requestState: fc.jsonValue({ maxDepth: 1 }),
        inputResponses: fc.jsonValue({ maxDepth: 2 }),
        _meta: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(envelope())),
      },
      { requiredKeys: [] },
    ),
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant('2.0') }, fc.jsonValue({ maxDepth: 0 })),
      id: fc.oneof(fc.nat(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
      method: fc.oneof({ weight: 5, arbitrary: method }, fc.jsonValue({ maxDepth: 0 })),
      params,
      result: fc.jsonValue({ maxDepth: 1 }),
      error: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  );
  const raw = fc.oneof(
    { weight: 8, arbitrary: message.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string() },
  );

  async function survives(batches: number): Promise<void> {
    const { url } = await start({}, { limits: { maxSessions: 20, streamAfter: 60_000 } });
    const session = await openSession(url);
    const kept = await session
      .request('kept', 'tools/call', { name: 'ask_seat', arguments: {} })
      .catch(() => undefined);
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      session.headers,
      { 'mcp-protocol-version': '2026-07-28' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
    );
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(raw, headers), { minLength: 50, maxLength: 50 }), async (batch) => {
        const replies = await Promise.all(
          batch.map(([text, given]) => send(url, { raw: text, headers: given })),
        );
        sent += replies.length;
        for (const reply of replies) {
          expect(reply.status).toBeGreaterThanOrEqual(200);
          expect(reply.status).toBeLessThan(500 + (reply.status === 503 ? 4 : 0));
          reply.drop();
        }
      }),
      { numRuns: batches, endOnFailure: true },
    );
    expect(sent).toBe(50 * batches);
    kept?.drop();
    const alive = await openSession(url);
    const echo = await alive.request(1, 'tools/call', { name: 'echo', arguments: { text: 'alive' } });
    expect((await echo.until(isAnswer)).result.content[0].text).toBe('alive');
  }

  it('five hundred times: each is answered, none hurts anybody', () => survives(10));

  it('ten thousand times: each is answered, none hurts anybody', { timeout: 600_000, tags: 'long' }, () =>
    survives(200),
  );
});

describe('an object where a name belongs, which no text can be made of,', () => {
  const odd = { toString: 1, valueOf: 1 };
  const argument = { name: 'language', value: '' };
  const requests = [
    ['tools/call', { name: odd, arguments: {} }],
    ['prompts/get', { name: odd }],
    ['resources/read', { uri: odd }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: odd }, argument }],
    ['completion/complete', { ref: { type: 'ref/resource', uri: odd }, argument }],
    ['tasks/get', { taskId: odd }],
    ['tasks/cancel', { taskId: odd }],
  ] as const;
  const offer = {
    prompts: [
      createMcpPrompt('greet')
        .description('Greets')
        .arguments(z.object({ language: z.string() }))
        .completes({ language: ['nl'] })
        .elicits({})
        .messages(function* () {
          return 'hello';
        }),
    ],
    resources: [
      createMcpResource('app://one', 'One').read(function* () {
        return 'one';
      }),
    ],
  };

  it.each([...requests, ['tasks/result', { taskId: odd }] as const])(
    'is refused as that in %s of a client of 2025-11-25',
    async (method, params) => {
      const { url } = await start(offer);
      const session = await openSession(url);
      const { error } = await (await session.request(1, method, params)).until(isAnswer);
      expect([-32602, -32601]).toContain(error.code);
    },
  );

  it.each(requests)('is refused as that in %s of a client of 2026-07-28', async (method, params) => {
    const { url } = await start(offer);
    const reply = await stateless(url, method, params);
    expect(reply.status).toBeLessThan(500);
    const { error } = await reply.until(isAnswer);
    expect(error.code).not.toBe(-32603);
  });
});

describe('a client of another session', () => {
  it('cannot answer a question, cancel a call, or read its stream', async () => {
    const { url, witness } = await start();
    const [mine, other] = [await openSession(url), await openSession(url)];
    const call = await mine.request(1, 'tools/call', { name: 'ask_seat', arguments: {} });
    const primed = await call.next();
    const question = await call.until(isQuestion);
    await other.answer(question.id ?? '', row(13));
    await other.notify('notifications/cancelled', { requestId: 1 });
    expect((await other.get(primed?.id)).status).toBe(400);
    expect(witness.ended).toBe(0);
    await mine.answer(question.id ?? '', row(7));
    expect((await call.until(isAnswer)).result.content[0].text).toBe('row 7 on KL1');
  });

  it('cannot even tell that the session of another principal exists', async () => {
    const tokens = ['ada', 'bob'].map((name) => ({ token: `token-of-${name}`, principal: { name } }));
    const { url } = await start({}, { tokens });
    const ada = await openSession(url, {}, { authorization: 'Bearer token-of-ada' });
    const headers = { ...ada.headers, authorization: 'Bearer token-of-bob' };
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const stolen = await send(url, { body, headers });
    const invented = await send(url, { body, headers: { ...headers, 'mcp-session-id': 'invented' } });
    expect(await stolen.rest()).toEqual(await invented.rest());
    expect(stolen.status).toBe(404);
  });
});

describe.each(inRings([50], [500]))('twice %i calls at once, half of them abandoned', (half) => {
  it('come to their own answers in the 2025 era, and every finally block runs', async () => {
    const { url, witness } = await start({ limits: { maxWaiting: 5000 } }, { limits: { resumeGrace: 100 } });
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(url)));
    const outcomes = await Promise.all(
      Array.from({ length: 2 * half }, async (_, index) => {
        const session = sessions[index % sessions.length];
        if (!session) throw new Error('no session');
        const params = { name: 'ask_seat', arguments: { flight: `F${index}` } };
        const call = await session.request(`call-${index}`, 'tools/call', params);
        const question = await call.until(isQuestion);
        expect(question.params.message).toBe(`Which row on F${index}?`);
        if (index >= half) {
          call.drop();
          return undefined;
        }
        await session.answer(question.id ?? '', row(1 + (index % 30)));
        return (await call.until(isAnswer)).result.content[0].text;
      }),
    );
    for (let index = 0; index < half; index++)
      expect(outcomes[index]).toBe(`row ${1 + (index % 30)} on F${index}`);
    await vi.waitFor(() => expect(witness).toEqual({ started: 2 * half, ended: 2 * half }), {
      timeout: 120_000,
    });
  }, 300_000);

  it('come to their own answers in the 2026 era, and every finally block runs', async () => {
    const { url, witness, server } = await start({
      limits: { maxWaiting: 5000, share: { maxWaiting: 5000 } },
    });
    const outcomes = await Promise.all(
      Array.from({ length: 2 * half }, async (_, index) => {
        const params = { name: 'ask_seat', arguments: { flight: `F${index}` } };
        const { result } = await ask(url, 'tools/call', params);
        if (index >= half) return undefined;
        const { requestState } = result;
        const inputResponses = { seat: row(1 + (index % 30)) };
        return (await ask(url, 'tools/call', { ...params, requestState, inputResponses })).result.content[0]
          .text;
      }),
    );
    for (let index = 0; index < half; index++)
      expect(outcomes[index]).toBe(`row ${1 + (index % 30)} on F${index}`);
    // Nobody comes back for the others: they wait until the server ends.
    expect(witness.started - witness.ended).toBe(half);
    await server.close();
    expect(witness).toEqual({ started: 2 * half, ended: 2 * half });
  }, 300_000);
});

it('a server that was killed in the middle of a call knows neither its session nor its state any more', async () => {
  const port = ['--no-token'];
  const params = { name: 'book_flight', arguments: { from: 'Amsterdam', destination: 'Lisbon' } };
  const first = await serveHttp([bookFlight], ...port);
  const session = await openSession(first.url);
  const { result } = await ask(first.url, 'tools/call', params);
  expect(result.resultType).toBe('input_required');
  const open = await session.request(1, 'tools/call', params);
  await open.until(isQuestion);
  await first.stop('SIGKILL');
  await expect(open.rest()).rejects.toThrow();

  const second = await serveHttp([bookFlight], ...port, '--port', first.url.port);
  try {
    expect((await session.request(2, 'ping')).status).toBe(404);
    const { requestState } = result;
    const late = await stateless(second.url, 'tools/call', { ...params, requestState });
    expect((await late.next())?.message?.error).toMatchObject({
      code: -32602,
      data: { reason: 'invalid_request_state' },
    });
    expect((await ask(second.url, 'tools/call', params)).result.resultType).toBe('input_required');
  } finally {
    expect(await second.stop()).toBe(0);
  }
});
