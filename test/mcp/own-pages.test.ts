import { randomUUID } from 'node:crypto';
import {
  Client as Later,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { run } from 'effection';
import { createMcpTool, makePlugin } from 'parley-mcp';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { View } from '#src/core/plugin/view.ts';
import { APP_CALL, APP_TOOLS, answerForm, decline, stop, viewResponse } from '#src/panel-port/index.ts';
import { drawPage, showsPages } from './kit/drawn-page.ts';
import { type InProcess, startServer } from './kit/in-process.ts';

const pickRow = createMcpTool('pick_row')
  .description('Asks for a row')
  .parameters(z.object({ plane: z.string() }))
  .output(z.object({ row: z.int() }))
  .requires({ elicitation: true })
  .elicits({ row: z.object({ row: z.int().max(40) }) })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit('row', { message: 'Which row?' });
    return { row: answer.action === 'accept' ? answer.content.row : 0 };
  });

/** How long a host has that shows its page later, or never; and one that shows it, on a machine that is busy. */
const PATIENCE = 1_003;
const SHOWN = 60_000;

let running: InProcess;
const clients: { close(): Promise<void> }[] = [];

async function serve(patience: number): Promise<void> {
  running = await startServer({ tools: [pickRow], apps: { patience } });
}

/** For how long the server, which runs here, waits from now on for whatever it is: the time of each timer. */
function timers(): () => readonly unknown[] {
  const set = vi.spyOn(globalThis, 'setTimeout').mockClear();
  onTestFinished(() => set.mockRestore());
  return () => set.mock.calls.map(([, milliseconds]) => milliseconds);
}

beforeEach(() => serve(PATIENCE));
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await running.close();
});

/** A host: with pages, unless it says otherwise; `form` answers what it is asked in its own form. */
async function connect({
  pages = true,
  form,
  name = randomUUID(),
}: {
  pages?: boolean;
  form?: () => object;
  name?: string;
} = {}) {
  const capabilities = {
    ...(pages ? { extensions: showsPages } : {}),
    ...(form ? { elicitation: {} } : {}),
  };
  const client = new Client({ name, version: '1' }, { capabilities });
  if (form)
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: form() }) as never);
  await client.connect(new StreamableHTTPClientTransport(running.url));
  clients.push(client);
  await client.listTools();
  return client;
}

const draw = (client: Client) => drawPage(client, 'pick_row');
const callOf = (client: Client, plane: string) => client.callTool({ name: 'pick_row', arguments: { plane } });

describe('a host that shows pages', () => {
  beforeEach(async () => {
    await running.close();
    await serve(SHOWN);
  });

  it('asks on the form of the page, while the call stays open', async () => {
    const client = await connect();
    const call = callOf(client, 'A320');
    const page = await draw(client);
    expect(page.html).toContain('<div id="root"');
    const { id, attempt, message, body } = await page.question({ plane: 'A320' });
    expect([message, body.kind]).toEqual(['Which row?', 'form']);
    await page.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
    expect((await call).structuredContent).toEqual({ row: 7 });
    expect((await page.until('result', { plane: 'A320' })).told).toBeUndefined();
    expect(running.problems).toEqual([]);
  });

  it('asks again for what does not fit, as often as it takes; nothing else that a page says counts', async () => {
    const client = await connect();
    const call = callOf(client, 'A320');
    const page = await draw(client);
    const input = { plane: 'A320' };
    const { id } = await page.question(input);
    const evil = JSON.parse('{"__proto__": {"row": 1}, "row": 41}') as Record<string, number>;
    for (const attempt of [1, 2, 3, 4]) {
      await page.send(
        {},
        { parley: 'parley/1', name: 'no such thing', body: {} },
        answerForm({ questionId: 'another', attempt, content: { row: 1 } }),
        answerForm({ questionId: id, attempt: attempt - 1, content: { row: 2 } }),
        answerForm({ questionId: id, attempt, content: evil }),
      );
      const again = await page.question(input, {}, attempt + 1);
      expect([again.attempt, again.problem]).toEqual([attempt + 1, expect.stringContaining('40')]);
    }
    await page.send(
      answerForm({ questionId: id, attempt: 5, content: { row: 5 } }),
      answerForm({ questionId: id, attempt: 5, content: { row: 6 } }),
      decline({ questionId: id }),
    );
    expect((await call).structuredContent).toEqual({ row: 5 });
    await page.send(answerForm({ questionId: id, attempt: 5, content: { row: 7 } }));
  });

  it('stops the call where the person does', async () => {
    const client = await connect();
    const call = callOf(client, 'A320');
    const page = await draw(client);
    await page.question({ plane: 'A320' });
    await page.send(stop({}));
    expect(await call).toMatchObject({ isError: true, content: [{ text: /stopped it/ }] });
  });

  it('shows the same question on each page of the call, and what one answers closes it in the other', async () => {
    const client = await connect();
    const call = callOf(client, 'A320');
    const [one, two] = [await draw(client), await draw(client)];
    const input = { plane: 'A320' };
    const { id, attempt } = await one.question(input);
    expect((await two.question(input)).id).toBe(id);
    await one.send(decline({ questionId: id }));
    await two.until('result', input);
    await two.send(answerForm({ questionId: id, attempt, content: { row: 9 } }));
    expect((await call).structuredContent).toEqual({ row: 0 });
  });

  it('shows the view of each question, also of one that opens in the moment in which another is answered', async () => {
    const twice = createMcpTool('twice')
      .description('Asks twice')
      .parameters(z.object({}))
      .elicits({ seat: z.object({ seat: z.string() }) })
      .execute(function* (_params, ctx) {
        const one = yield* ctx.elicit.strict('seat', { message: 'Your seat?' });
        return [one.seat, (yield* ctx.elicit.strict('seat', { message: 'And theirs?' })).seat];
      });
    // What the build puts in the place of a view.
    const SeatView: View<{ onRespond(seat: string): void }> = Object.assign(() => undefined, {
      kind: 'parley.view',
      key: 'seat',
    });
    const plugin = makePlugin(twice)
      .onElicit({
        *seat(_request, ctx) {
          return { action: 'accept', content: { seat: yield* ctx.render(SeatView, {}) } };
        },
      })
      .build();
    await running.close();
    running = await startServer({ tools: [plugin], apps: { patience: SHOWN } });
    const client = await connect();
    const call = client.callTool({ name: 'twice', arguments: {} });
    const page = await drawPage(client, 'twice');
    for (const [message, value] of [
      ['Your seat?', '1A'],
      ['And theirs?', '1B'],
    ] as const) {
      let question = await page.question({});
      while (question.message !== message || question.body.kind === 'busy')
        question = await page.question({});
      if (question.body.kind !== 'view') throw new Error(question.body.kind);
      await page.send(viewResponse({ renderId: question.body.renderId, value }));
    }
    expect((await call).content).toMatchObject([{ text: '["1A","1B"]' }]);
  });

  it('keeps the calls of one tool apart', async () => {
    const client = await connect();
    const calls = ['A320', 'B747'].map((plane) => callOf(client, plane));
    const pages = [await draw(client), await draw(client)];
    const [small, large] = await Promise.all([
      pages[0]?.question({ plane: 'A320' }),
      pages[1]?.question({ plane: 'B747' }),
    ]);
    // Both calls name their first question alike: what counts is the page.
    expect(small?.id).toBe(large?.id);
    await pages[1]?.send(answerForm({ questionId: large?.id ?? '', attempt: 1, content: { row: 2 } }));
    expect((await calls[1])?.structuredContent).toEqual({ row: 2 });
    await pages[0]?.send(answerForm({ questionId: small?.id ?? '', attempt: 1, content: { row: 3 } }));
    expect((await calls[0])?.structuredContent).toEqual({ row: 3 });
  });

  it('shows an old page no other call that was called alike, once the host has shown it the result of its own', async () => {
    const client = await connect();
    const input = { plane: 'A320' };
    const first = callOf(client, 'A320');
    const page = await draw(client);
    const { id } = await page.question(input);
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: 7 } }));
    await first;
    const second = callOf(client, 'A320');
    const own = await draw(client);
    await own.question(input);
    // The first conversation is opened again: its page is drawn anew.
    const old = await draw(client);
    expect((await old.watch(input)).state).toBe('open');
    expect(await old.watch(input, { over: true })).toMatchObject({ state: 'ended', messages: [] });
    await old.send(answerForm({ questionId: id, attempt: 1, content: { row: 9 } }), stop({}));
    await own.send(answerForm({ questionId: id, attempt: 1, content: { row: 2 } }));
    expect((await second).structuredContent).toEqual({ row: 2 });
  });

  it('is not waited for longer than it takes to show a page: its own form asks then, once for all questions', async () => {
    await running.close();
    await serve(PATIENCE);
    const client = await connect({ form: () => ({ row: 3 }) });
    const begun = performance.now();
    expect((await callOf(client, 'A320')).structuredContent).toEqual({ row: 3 });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(PATIENCE - 5);
  });
});

describe('a host that tells a page of its call only when that is over', () => {
  it('has its answer at once, and the page tells the model of the end; the next call does not wait', async () => {
    const name = randomUUID();
    const client = await connect({ name });
    const { tools } = await client.listTools();
    expect(tools.find((tool) => tool.name === 'pick_row')).not.toHaveProperty('outputSchema');

    const waits = timers();
    const early = await callOf(client, 'A320');
    expect(waits()).toContain(PATIENCE);
    expect(early).toMatchObject({ content: [{ text: /asks the user on a page.*end your turn/ }] });
    expect(early.isError).toBeUndefined();
    const call = early._meta?.[APP_CALL];
    const page = await draw(client);
    const input = { plane: 'A320' };
    const { id, attempt } = await page.question(input, { call });
    await page.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
    expect(await page.until('result', input)).toMatchObject({
      told: { content: [{ text: '{"row":7}' }], structuredContent: { row: 7 } },
    });

    // Another of its windows: the host is known by now.
    const again = await connect({ name });
    const later = timers();
    await callOf(again, 'B747');
    expect(later()).not.toContain(PATIENCE);
  });

  it('tells two calls that look the same apart by their results', async () => {
    const client = await connect();
    const [one, two] = await Promise.all([callOf(client, 'A320'), callOf(client, 'A320')]);
    const [first, second] = [await draw(client), await draw(client)];
    const input = { plane: 'A320' };
    const { id } = await first.question(input, { call: one?._meta?.[APP_CALL] });
    expect((await (await draw(client)).watch(input)).state).toBe('elsewhere');
    await second.question(input, { call: two?._meta?.[APP_CALL] });
    await second.send(answerForm({ questionId: id, attempt: 1, content: { row: 2 } }));
    expect(await second.until('result', input)).toMatchObject({ told: { structuredContent: { row: 2 } } });
    await first.send(answerForm({ questionId: id, attempt: 1, content: { row: 1 } }));
    expect(await first.until('result', input)).toMatchObject({ told: { structuredContent: { row: 1 } } });
  });

  it('ends its calls when it is gone', async () => {
    const client = await connect();
    await callOf(client, 'A320');
    const page = await draw(client);
    await page.question({ plane: 'A320' });
    expect(await running.holdings()).toHaveLength(1);
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await expect.poll(() => running.holdings()).toEqual([]);
  });
});

describe('a host that can show neither pages nor forms', () => {
  it('is told what to do', async () => {
    const client = await connect({ pages: false });
    expect(await client.listTools()).toEqual({ tools: [] });
    const { isError, content } = await callOf(client, 'A320');
    expect(isError).toBe(true);
    expect((content as { text: string }[])[0]?.text).toMatch(
      /needs a client that can ask the user.*Run it from a client/,
    );
  });

  it('declares no resources to it', async () => {
    const client = await connect({ pages: false });
    expect(client.getServerCapabilities()).not.toHaveProperty('resources');
    const other = await connect();
    expect(other.getServerCapabilities()).toHaveProperty('resources');
    expect(await other.listResources()).toEqual({ resources: [] });
  });
});

describe('a client of the later era that shows pages', () => {
  async function later({ form, name = randomUUID() }: { form?: () => object; name?: string } = {}) {
    const client = new Later(
      { name, version: '1' },
      {
        capabilities: {
          extensions: showsPages,
          ...(form ? { elicitation: { form: {} } } : {}),
        },
        versionNegotiation: { mode: 'auto' },
      },
    );
    if (form)
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: form() }) as never);
    await client.connect(new LaterTransport(running.url));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    clients.push(client);
    return client as unknown as Client;
  }

  it('is asked there, while the request stays open', async () => {
    await running.close();
    await serve(SHOWN);
    const client = await later();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['pick_row', ...Object.values(APP_TOOLS)]);
    const call = callOf(client, 'A320');
    const page = await draw(client);
    const { id, attempt } = await page.question({ plane: 'A320' });
    await page.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
    expect((await call).structuredContent).toEqual({ row: 7 });
    await page.until('result', { plane: 'A320' });
    expect(running.problems).toEqual([]);
  });

  it('is asked by what its request comes back with, where it shows none', async () => {
    const client = await later({ form: () => ({ row: 4 }) });
    await client.listTools();
    expect((await callOf(client, 'A320')).structuredContent).toEqual({ row: 4 });
  });

  it('has its answer at once where it tells a page of its call only when that is over, and the page tells the model', async () => {
    const name = randomUUID();
    const client = await later({ name });
    const listed = async (of: Client) =>
      (await of.listTools()).tools.find((tool) => tool.name === 'pick_row');
    expect(await listed(client)).not.toHaveProperty('outputSchema');
    const early = await callOf(client, 'A320');
    expect(early).toMatchObject({ content: [{ text: /asks the user on a page.*end your turn/ }] });
    const page = await draw(client);
    const input = { plane: 'A320' };
    const { id, attempt } = await page.question(input, { call: early._meta?.[APP_CALL] });
    await page.send(answerForm({ questionId: id, attempt, content: { row: 41 } }));
    const again = await page.question(input, {}, 2);
    await page.send(answerForm({ questionId: id, attempt: again.attempt, content: { row: 7 } }));
    expect(await page.until('result', input)).toMatchObject({ told: { structuredContent: { row: 7 } } });

    // Nothing is left of it, and the host is known by now.
    await expect.poll(() => running.holdings()).toEqual([]);
    const waits = timers();
    await callOf(await later({ name }), 'B747');
    expect(waits()).not.toContain(PATIENCE);
    expect(running.problems).toEqual([]);
  });

  it('is known for a quick one by a page that spoke in time: its tools have their output schemas', async () => {
    await running.close();
    await serve(SHOWN);
    const name = randomUUID();
    const client = await later({ name });
    await client.listTools();
    const call = callOf(client, 'A320');
    const page = await draw(client);
    const { id, attempt } = await page.question({ plane: 'A320' });
    await page.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
    await call;
    // A client may keep what it was told for a while.
    const { tools } = await (await later({ name })).listTools();
    expect(tools.find(({ name }) => name === 'pick_row')).toHaveProperty('outputSchema');
  });

  it('goes on with its page alone where its calls are kept by a store, too', async () => {
    await running.close();
    const kept = createMcpTool('pick_row')
      .description('Asks for a row')
      .parameters(z.object({ plane: z.string() }))
      .requires({ elicitation: true })
      .durable()
      .elicits({ row: z.object({ row: z.int() }) })
      .execute(function* (_params, ctx) {
        return (yield* ctx.elicit.strict('row', { message: 'Which row?' })).row;
      });
    const state = createMemoryStore();
    running = await startServer({ tools: [kept], apps: { patience: PATIENCE }, state });
    const client = await later();
    await client.listTools();
    expect(await callOf(client, 'A320')).toMatchObject({ content: [{ text: /asks the user on a page/ }] });
    expect(await run(() => state.list())).toMatchObject([{ held: true, ended: false }]);
    const page = await draw(client);
    const input = { plane: 'A320' };
    const { id, attempt } = await page.question(input);
    await page.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
    expect(await page.until('result', input)).toMatchObject({ told: { content: [{ text: '7' }] } });
    await expect.poll(() => run(() => state.list())).toMatchObject([{ held: false, ended: true }]);
  });
});

it('asks what changes something in an editor there, and on no page', async () => {
  const paint = createMcpTool('paint')
    .description('Paints in the editor')
    .parameters(z.object({}))
    .requires({ elicitation: true, editor: true })
    .elicits({ sure: z.object({ yes: z.boolean() }) })
    .execute(function* (_params, ctx) {
      return yield* ctx.elicit.strict('sure', { message: 'Sure?' });
    });
  await running.close();
  running = await startServer({
    tools: [pickRow, paint],
    apps: { patience: PATIENCE },
    client: (wire) => ({
      ...wire,
      capabilities: () => ({ ...wire.capabilities(), elicitation: { form: true }, editor: true }),
      can: () => true,
      *elicit() {
        return { action: 'accept', content: { yes: true } };
      },
    }),
  });
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.slice(0, 2).map(({ name, _meta }) => [name, _meta])).toEqual([
    ['paint', undefined],
    ['pick_row', { ui: { resourceUri: 'ui://parley/pick_row' } }],
  ]);
  await expect(client.readResource({ uri: 'ui://parley/paint' })).rejects.toThrow(/not found/i);
  expect((await client.callTool({ name: 'paint', arguments: {} })).content).toMatchObject([
    { text: '{"yes":true}' },
  ]);
});

it('draws none where a server wants none', async () => {
  await running.close();
  running = await startServer({ tools: [pickRow], apps: false });
  const client = await connect({ form: () => ({ row: 1 }) });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([['pick_row', undefined]]);
  expect((await callOf(client, 'A320')).structuredContent).toEqual({ row: 1 });
});
