import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Operation } from 'effection';
import { createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { answerForm, decline } from '#src/panel-port/index.ts';
import { startServer } from './kit/in-process.ts';
import { openTab, questionOn } from './kit/page-tab.ts';
import { PATIENT, usePublishing } from './kit/publishing.ts';
import { ask, envelope } from './kit/wire.ts';

const named = (name: string) => createMcpTool(name).description('Asks for a row').parameters(z.object({}));

const SEAT = { seat: z.object({ row: z.int() }) };

function* seatOf(answer: Operation<{ row: number }>): Operation<string> {
  return `row ${(yield* answer).row}`;
}

/** Tools with one question. */
const look = named('look')
  .annotations({ readOnlyHint: true })
  .elicits(SEAT)
  .execute((_, ctx) => seatOf(ctx.elicit.strict('seat', { message: 'Which row?' })));
const order = named('order')
  .durable()
  .task()
  .elicits(SEAT)
  .execute((_, ctx) => seatOf(ctx.elicit.strict('seat', { message: 'Which row?' })));
const onlyAsTask = named('order')
  .task({ required: true })
  .requires({ elicitation: true })
  .elicits(SEAT)
  .execute((_, ctx) => seatOf(ctx.elicit.strict('seat', { message: 'Which row?' })));

/** A page that the client was sent to. */
interface Link {
  readonly url: string;
  /** What the client says of it. */
  answer(result: object): void;
}

/** Opens the page of a link, which its client says it does, and takes row 4 there. */
async function answerOnPage({ url, answer }: Link): Promise<void> {
  const tab = openTab();
  await tab.post(url);
  answer({ action: 'accept' });
  const { id } = await questionOn(tab, url);
  await tab.say(url, answerForm({ questionId: id, attempt: 1, content: { row: 4 } }));
}

const { start, at: ownAddress, current } = usePublishing();
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a client of 2026-07-28 that opens pages and has no forms', () => {
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  /** Calls the tool; gives the links that the client is sent, and how it answers them. */
  async function called(at: URL, headers: Record<string, string> = {}, more: object = {}) {
    const client = new Client(
      { name: 'later', version: '1' },
      {
        capabilities: { elicitation: { url: {} }, ...more },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    const sent: (Link & { readonly message: string; readonly mode: string })[] = [];
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) =>
        new Promise((resolve) => {
          const { url, message, mode } = params as { url: string; message: string; mode: string };
          sent.push({ url, message, mode, answer: (result) => resolve(result as never) });
        }),
    );
    await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }));
    clients.push(client);
    const { tools } = await client.listTools();
    const [tool] = tools;
    const result = tool && client.callTool({ name: tool.name, arguments: {} });
    const link = async (nth: number) => {
      await vi.waitFor(() => expect(sent).toHaveLength(nth), PATIENT);
      const found = sent[nth - 1];
      if (!found) throw new Error('no link');
      return found;
    };
    return { tools, result, sent, link };
  }

  it('is sent to a page of ours, which asks all that is asked while its next request is open', async () => {
    const { url: at } = await start();
    const { result, sent, link } = await called(at);
    const { url, message, mode, answer } = await link(1);
    expect(mode).toBe('url');
    const [code = ''] = /[2-9A-HJ-NP-Z]{3}-[2-9A-HJ-NP-Z]{3}/.exec(message) ?? [];
    const tab = openTab();
    expect(await (await tab.get(url)).text()).toContain(code);
    answer({ action: 'accept', content: { row: 1 } });
    await tab.post(url);
    const first = await questionOn(tab, url);
    await tab.say(url, answerForm({ questionId: first.id, attempt: 1, content: { row: 4 } }));
    await vi.waitFor(async () => expect((await questionOn(tab, url)).message).toBe('Which dish?'), PATIENT);
    await tab.say(url, decline({ questionId: (await questionOn(tab, url)).id }));
    expect(await result).toMatchObject({ content: [{ text: '[4,"decline"]' }] });
    expect(sent).toHaveLength(1);
    expect(current()?.problems).toEqual([]);
    await vi.waitFor(async () => expect(await current()?.holdings()).toEqual([]), PATIENT);
  });

  it.each([
    ['when they have answered', 0],
    ['a minute after the call is over', 61_000],
  ])('may say that the person went there %s', async (_, late) => {
    const { url: at } = await start();
    const { result, sent, link } = await called(at);
    const { url, answer } = await link(1);
    const tab = openTab();
    await tab.post(url);
    const first = await questionOn(tab, url);
    await tab.say(url, answerForm({ questionId: first.id, attempt: 1, content: { row: 4 } }));
    await vi.waitFor(async () => expect((await questionOn(tab, url)).message).toBe('Which dish?'), PATIENT);
    await tab.say(
      url,
      answerForm({ questionId: (await questionOn(tab, url)).id, attempt: 1, content: { dish: 'rice' } }),
    );
    await vi.waitFor(async () => expect(await current()?.holdings()).toEqual([]), PATIENT);
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + late);
    answer({ action: 'accept' });
    expect(await result).toMatchObject({ content: [{ text: '[4,"rice"]' }] });
    expect(sent).toHaveLength(1);
  });

  it('has no call any more once its principal is dismissed, though a page of it is open', async () => {
    const tokens = [{ token: 'ada', principal: { name: 'ada' } }];
    const { url: at, dismiss } = await start({
      tokens,
      publish: { at: ownAddress, login: async () => 'ada' },
    });
    const { result, link } = await called(at, { authorization: 'Bearer ada' });
    const { url, answer } = await link(1);
    const tab = openTab();
    await tab.post(url);
    expect((await questionOn(tab, url)).message).toBe('Which row?');
    await dismiss('ada', 'the token was reset');
    await vi.waitFor(async () => expect(await current()?.holdings()).toEqual([]), PATIENT);
    answer({ action: 'accept' });
    await expect(result).rejects.toThrow(/requestState/);
  });

  it.each(['decline', 'cancel'])('can refuse with %s; its link is worth nothing then', async (action) => {
    const { url: at } = await start();
    const { result, link } = await called(at);
    const { url, answer } = await link(1);
    answer({ action });
    expect(await result).toMatchObject({ isError: true });
    expect((await openTab().get(url)).status).toBe(410);
  });

  it('is sent only where somebody logs in, and its link answers only for them', async () => {
    const tokens = ['ada', 'bob'].map((token) => ({ token, principal: { name: token } }));
    const { url: nobody } = await start({ tokens, publish: { at: 'https://tools.example' } });
    expect((await called(nobody, { authorization: 'Bearer ada' })).tools).toEqual([]);
    await current()?.close();

    const login = async ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
      headers['x-user'] as string | undefined;
    const { url: served } = await start({ tokens, publish: { at: ownAddress, login } });
    const { result, link } = await called(served, { authorization: 'Bearer ada' });
    const { url, answer } = await link(1);
    expect((await openTab().post(url)).status).toBe(401);
    expect((await openTab({ 'x-user': 'bob' }).post(url)).status).toBe(403);
    expect((await openTab({ 'x-user': 'ada' }).post(url)).status).toBe(303);
    answer({ action: 'cancel' });
    await result;
  });

  it('is sent to another page when the person closes the first without an answer', async () => {
    const { url: at } = await start();
    const { result, sent, link } = await called(at);
    const first = await link(1);
    const closed = openTab();
    await closed.post(first.url);
    first.answer({ action: 'accept' });
    expect((await questionOn(closed, first.url)).message).toBe('Which row?');
    // Nothing is heard of a tab that was closed: for so long it has asked for nothing.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    const second = await link(2);
    expect(second.url).not.toBe(first.url);
    const tab = openTab();
    await tab.post(second.url);
    second.answer({ action: 'accept' });
    const { id } = await questionOn(tab, second.url);
    await tab.say(second.url, answerForm({ questionId: id, attempt: 1, content: { row: 4 } }));
    await vi.waitFor(
      async () => expect((await questionOn(tab, second.url)).message).toBe('Which dish?'),
      PATIENT,
    );
    await tab.say(second.url, decline({ questionId: (await questionOn(tab, second.url)).id }));
    expect(await result).toMatchObject({ content: [{ text: '[4,"decline"]' }] });
    expect(sent).toHaveLength(2);
  });

  describe.each<[string, () => Partial<McpServerOptions>]>([
    ['kept in a store', () => ({ state: createMemoryStore() })],
    ['carried by their clients', () => ({ state: 'carried', stateKeys: [randomBytes(32)] })],
  ])('where calls are %s', (_, options) => {
    it.each([
      ['read-only', look],
      ['durable', order],
    ])('is asked on a page of the process that has the call of a %s tool', async (_, tool) => {
      const { url: at } = await start({}, { ...options(), tools: [tool] });
      const { result, link, sent } = await called(at);
      await answerOnPage(await link(1));
      expect(await result).toMatchObject({ content: [{ text: 'row 4' }] });
      expect(sent).toHaveLength(1);
      expect(current()?.problems).toEqual([]);
      await vi.waitFor(async () => expect(await current()?.holdings()).toEqual([]), PATIENT);
    });

    it('is told where its call goes on when another process gets its next request', async () => {
      const shared = options();
      const tools = [order];
      const { url: at } = await start({}, { ...shared, tools });
      const other = await startServer({ ...shared, tools }, { publish: { at: ownAddress } });
      try {
        const params = { name: 'order', arguments: {}, _meta: envelope({ elicitation: { url: {} } }) };
        const { result } = await ask(at, 'tools/call', params);
        const [key = ''] = Object.keys(result.inputRequests);
        const { error } = await ask(other.url, 'tools/call', {
          ...params,
          requestState: result.requestState,
          inputResponses: { [key]: { action: 'accept' } },
        });
        expect(error).toMatchObject({
          code: -32602,
          message: expect.stringContaining('only in the process where it started, which asks on a page'),
        });
      } finally {
        await other.close();
      }
    });
  });

  describe('with tasks', () => {
    const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

    it('is asked on a page within its requests by a tool that can be called so', async () => {
      const { url: at } = await start({}, { tools: [order] });
      const { result, link } = await called(at, {}, tasks);
      await answerOnPage(await link(1));
      expect(await result).toMatchObject({ content: [{ text: 'row 4' }] });
    });

    it('has tasks of tools that ask nothing', async () => {
      const quiet = named('quiet')
        .task()
        .elicits({})
        .execute(function* () {
          return 'done';
        });
      const { url: at } = await start({}, { tools: [quiet] });
      const capabilities = { elicitation: { url: {} }, ...tasks };
      const params = { name: 'quiet', arguments: {}, _meta: envelope(capabilities) };
      expect((await ask(at, 'tools/call', params)).result).toMatchObject({ resultType: 'task' });
    });

    it('is not offered a tool that has to ask in a task, and is told what it lacks', async () => {
      const { url: at } = await start({}, { tools: [onlyAsTask] });
      expect((await called(at, {}, tasks)).tools).toEqual([]);
      const params = {
        name: 'order',
        arguments: {},
        _meta: envelope({ elicitation: { url: {} }, ...tasks }),
      };
      expect((await ask(at, 'tools/call', params)).error).toMatchObject({
        code: -32021,
        message: expect.stringContaining('order'),
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      });
    });
  });
});
