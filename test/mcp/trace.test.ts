import { fileURLToPath } from 'node:url';
import { createScope, suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Servers, useServers } from '#src/mcp/client/index.ts';
import { nodeServer } from './kit/foreign.ts';
import { startServer } from './kit/in-process.ts';
import { ask, envelope, openSession } from './kit/wire.ts';

const trace = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'rojo=00f067aa0ba902b7',
};

const asking = createMcpTool('asks')
  .description('Asks the person, then the model')
  .parameters(z.object({}))
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('seat', { message: 'Which row?' });
    const { text } = yield* ctx.sample({ prompt: 'Say it', maxTokens: 10 });
    return text;
  });

const call = { name: 'asks', arguments: {} };
const row = { action: 'accept', content: { row: 3 } };
const said = { role: 'assistant', model: 'm', content: { type: 'text', text: 'row 3' } };

/** What the questions of a call carry in `_meta`, asked in the 2025 era. */
async function asked2025(url: URL, meta: object): Promise<unknown[]> {
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', { ...call, _meta: meta });
  const seat = await reply.until(({ method }) => method === 'elicitation/create');
  await session.answer(seat.id ?? '', row);
  const sample = await reply.until(({ method }) => method === 'sampling/createMessage');
  await session.answer(sample.id ?? '', said);
  const end = await reply.until(({ result }) => result !== undefined);
  expect(end.result.content).toMatchObject([{ text: 'row 3' }]);
  return [seat.params._meta, sample.params._meta];
}

/** The same in the 2026 era. */
async function asked2026(url: URL, meta: object): Promise<unknown[]> {
  const params = { ...call, _meta: envelope(undefined, meta) };
  const first = (await ask(url, 'tools/call', params)).result;
  const second = (
    await ask(url, 'tools/call', {
      ...params,
      requestState: first.requestState,
      inputResponses: { seat: row },
    })
  ).result;
  const end = await ask(url, 'tools/call', {
    ...params,
    requestState: second.requestState,
    inputResponses: { 'sample#1': said },
  });
  expect(end.result.content).toMatchObject([{ text: 'row 3' }]);
  return [first.inputRequests.seat.params._meta, second.inputRequests['sample#1'].params._meta];
}

describe.each([
  ['2025', asked2025],
  ['2026', asked2026],
] as const)('trace context in the era of %s', (_era, asked) => {
  it('is handed on to the client with each question', async () => {
    const running = await startServer({ tools: [asking] });
    expect(await asked(running.url, trace)).toEqual([trace, trace]);
  });

  it('is not made up, and one that is not well written is dropped', async () => {
    const running = await startServer({ tools: [asking] });
    expect(await asked(running.url, {})).toEqual([undefined, undefined]);
    const hostile = { traceparent: `${trace.traceparent}\r\nx: y`, tracestate: 'a=1' };
    expect(await asked(running.url, hostile)).toEqual([undefined, undefined]);
  });
});

it('is handed on to the server whose tool is called, and no other trace is', async () => {
  const program = fileURLToPath(new URL('./kit/listing-server.ts', import.meta.url));
  const [scope, destroy] = createScope();
  const servers = await new Promise<Servers>((resolve) => {
    scope
      .run(function* () {
        const used = yield* useServers([nodeServer('behind', program, 'many', '1')]);
        for (const connection of used.connections) yield* connection.client();
        resolve(used);
        yield* suspend();
      })
      .catch(() => {});
  });
  const running = await startServer({ tools: servers.tools });
  const seen = async (meta: object): Promise<unknown> => {
    const params = { name: 'behind__tool_0', arguments: {}, _meta: envelope(undefined, meta) };
    const { content } = (await ask(running.url ?? new URL('x:'), 'tools/call', params)).result;
    const { progressToken: _, ...rest } = JSON.parse(content[0].text)._meta;
    return rest;
  };
  try {
    expect(await seen(trace)).toEqual(trace);
    expect(await seen({})).toEqual({});
  } finally {
    await destroy();
  }
});
