import { randomBytes } from 'node:crypto';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpPrompt, createMcpTool } from 'parley-mcp';

import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerForm } from '#src/panel-port/index.ts';
import { as, type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { type Person, person } from './kit/person.ts';
import { accept, envelope, leg } from './kit/wire.ts';

const row = { row: z.object({ row: z.int() }) };

/** Asks fourteen times, and says what was answered. */
const rows = createMcpTool('rows')
  .description('Asks for fourteen rows')
  .parameters(z.object({}))
  .output(z.object({ rows: z.array(z.int()) }))
  .durable()
  .elicits(row)
  .execute(function* (_, ctx) {
    const rows: number[] = [];
    while (rows.length < 14) rows.push((yield* ctx.elicit.strict('row', { message: 'Row?' })).row);
    return { rows };
  });

/** Has a model asked twelve times before its only question. */
const sampling = createMcpTool('sampling')
  .description('Asks a model, then the person')
  .parameters(z.object({}))
  .requires({ sampling: true })
  .elicits(row)
  .execute(function* (_, ctx) {
    for (let at = 0; at < 12; at++) yield* ctx.sample({ prompt: 'Which row?', maxTokens: 10 });
    return `row ${(yield* ctx.elicit.strict('row', { message: 'Row?' })).row}`;
  });

const asksOn = createMcpPrompt('asks_on')
  .description('Asks fourteen times')
  .arguments(z.object({}))
  .elicits(row)
  .messages(function* (_, ctx) {
    for (let at = 0; at < 14; at++) yield* ctx.elicit.strict('row', { message: 'Row?' });
    return 'done';
  });

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(
  options: Partial<Parameters<typeof startServer>[0]> = {},
  access: Parameters<typeof startServer>[1] = { tokens: tokensOf('one') },
): Promise<InProcess> {
  const server = await startServer({ tools: [rows, sampling], prompts: [asksOn], ...options }, access);
  open.push(server);
  return server;
}

/** The official client, as it is, which answers with forms and a model, and counts. */
async function client({ server, url }: InProcess, by: 'stdio' | 'http') {
  const one = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} }, sampling: {} }, versionNegotiation: { mode: 'auto' } },
  );
  const asked = { forms: 0, samplings: 0 };
  one.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { row: ++asked.forms } }));
  one.setRequestHandler('sampling/createMessage', () => {
    asked.samplings += 1;
    return { role: 'assistant', model: 'test', content: { type: 'text', text: 'Any' } };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  if (by === 'stdio') await server.connect(far as Parameters<typeof server.connect>[0]);
  await one.connect(
    by === 'stdio' ? near : new StreamableHTTPClientTransport(url, { requestInit: { headers: as('one') } }),
  );
  open.push(one);
  await one.listTools();
  return { asked, call: (name: string) => one.callTool({ name, arguments: {} }), client: one };
}

const WORDS = 'asks more often than this client answers in one call';
const all = Array.from({ length: 14 }, (_, index) => index + 1);

/** Answers as often as the page asks. */
async function answers(at: Person, first: number, last: number): Promise<void> {
  const tab = await at.tab();
  const [page] = await tab.asking();
  if (!page) throw new Error('nothing is asked');
  const seen = new Set<string>();
  for (let next = first; next <= last; next++) {
    let question = await tab.question(page);
    while (seen.has(question.id)) question = await tab.question(page);
    seen.add(question.id);
    await tab.say(page, answerForm({ questionId: question.id, attempt: 1, content: { row: next } }));
  }
}

describe.each(['stdio', 'http'] as const)('a client that answers ten rounds, over %s', (by) => {
  it('continues a call of fourteen questions with the same call again', async () => {
    const { asked, call } = await client(await start(), by);
    const first = await call('rows');
    expect(first).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^NOT DONE YET.*Call rows again/) }],
    });
    expect(asked.forms).toBe(10);
    expect((await call('rows')).structuredContent).toEqual({ rows: all });
    // That one is over: the same again is another call.
    expect((await call('rows')).isError).toBe(true);
    expect(asked.forms).toBe(24);
  });

  it('continues each of two equal calls that it made at once', async () => {
    const { asked, call } = await client(await start(), by);
    const twice = () => Promise.all([call('rows'), call('rows')]);
    expect((await twice()).map(({ isError }) => isError)).toEqual([true, true]);
    const both = (await twice()).map(({ structuredContent }) => structuredContent);
    expect(both).toEqual([{ rows: expect.any(Array) }, { rows: expect.any(Array) }]);
    expect(asked.forms).toBe(28);
  });

  it('has its samplings counted, and is asked the only question after twelve', async () => {
    const { asked, call } = await client(await start(), by);
    expect(await call('sampling')).toMatchObject({
      content: [{ text: expect.stringMatching(/^NOT DONE YET/) }],
    });
    expect(asked).toEqual({ forms: 0, samplings: 10 });
    expect(await call('sampling')).toMatchObject({ content: [{ text: 'row 1' }] });
    expect(asked).toEqual({ forms: 1, samplings: 12 });
  });

  it('has the questions after its last round asked on the page', async () => {
    const one = person();
    const { asked, call } = await client(await start({ page: one.page }), by);
    open.push(one.page);
    const calling = call('rows');
    await answers(one, 11, 14);
    expect((await calling).structuredContent).toEqual({ rows: all });
    expect(asked.forms).toBe(10);
  });

  it('comes back for what the page asks still by the same call, not by a tool that it has not', async () => {
    const one = person({ held: 0 });
    const { call } = await client(await start({ page: one.page }), by);
    open.push(one.page);
    const early = await call('rows');
    expect(early.isError).toBe(true);
    expect(JSON.stringify(early.content)).toMatch(/on a page in their browser.*call rows again/);
    expect(JSON.stringify(early.content)).not.toContain('parley_result');
    await answers(one, 11, 14);
    let late = await call('rows');
    while (late.isError) late = await call('rows');
    expect(late.structuredContent).toEqual({ rows: all });
  });

  it('is told in words where the same request would be another one', async () => {
    const server = await start();
    const { client: one } = await client(server, by);
    await expect(one.getPrompt({ name: 'asks_on' })).rejects.toThrow(WORDS);
    expect(await server.holdings()).toEqual([]);
  });
});

it.each([
  ['in a store', () => ({ state: createMemoryStore() })],
  ['in its hand', () => ({ state: 'carried' as const, stateKeys: [randomBytes(32)] })],
])('the rounds of a call are counted over processes, %s', async (_, made) => {
  const options = made();
  const servers = [await start(options), await start(options)];
  const call = { name: 'rows', arguments: {}, _meta: envelope({ elicitation: {} }) };
  let reply = await leg(servers[0] as InProcess, call, undefined, undefined, as('one'));
  let rounds = 0;
  while (reply.result.resultType === 'input_required') {
    rounds += 1;
    const [key = ''] = Object.keys(reply.result.inputRequests);
    const to = servers[rounds % 2] as InProcess;
    reply = await leg(to, call, reply, { [key]: accept({ row: rounds }) }, as('one'));
  }
  expect(rounds).toBe(10);
  expect(reply.result.content[0].text).toMatch(/^NOT DONE YET/);
});

it('one whom anybody may be is not asked for the same call again: who comes may be another', async () => {
  const { call } = await client(await start({}, {}), 'http');
  expect(await call('rows')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(WORDS) }],
  });
});

it('our own client takes as many rounds as a call has', async () => {
  const server = await start();
  const info = { 'io.modelcontextprotocol/clientInfo': { name: 'parley', version: '1.0.0' } };
  const call = { name: 'rows', arguments: {}, _meta: envelope({ elicitation: {} }, info) };
  let reply = await leg(server, call, undefined, undefined, as('one'));
  for (const row of all) {
    const [key = ''] = Object.keys(reply.result.inputRequests);
    reply = await leg(server, call, reply, { [key]: accept({ row }) }, as('one'));
  }
  expect(reply.result.structuredContent).toEqual({ rows: all });
});
