import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { suspend, withResolvers } from 'effection';
import { createMcpTool } from 'parley-mcp';
import type { AppPages, Client as McpClient, PageEnd, Session } from 'parley-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { APP_TOOLS } from '#src/panel-port/index.ts';
import { type InProcess, startServer } from './kit/in-process.ts';

const UI = 'io.modelcontextprotocol/ui';
const MIME = 'text/html;profile=mcp-app';

const pickRow = createMcpTool('pick_row')
  .description('Asks for a row')
  .parameters(z.object({ plane: z.string() }))
  .elicits({ row: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    const { row } = yield* ctx.elicit.strict('row', { message: 'Which row?' });
    return `row ${row}`;
  });
const add = createMcpTool('add')
  .description('Adds')
  .parameters(z.object({ a: z.number(), b: z.number() }))
  .elicits({})
  .execute(function* ({ a, b }) {
    return a + b;
  });

/** Pages that say what they are asked, and answer what they are told. */
function pagesFor(opened: Session[]): AppPages {
  return {
    offers: () => true,
    *document(_served, ticket) {
      return `<html data-ticket="${ticket}"></html>`;
    },
    open(session: Session, end: PageEnd) {
      opened.push(session);
      const stop = session.subscribe((event) => {
        if (event.type === 'result') end.ended();
      });
      return {
        receive(message) {
          const { name, body } = message as { name: string; body: { row?: number } };
          const ask = session.openAsks()[0];
          if (name === 'ready') end.post({ asked: ask?.kind === 'elicit' ? ask.request.message : '' });
          if (name === 'answer' && ask)
            session.respond(ask.id, { action: 'accept', content: { row: body.row } });
        },
        close: stop,
      };
    },
  };
}

/** Answers nothing: the page does. */
const pageOnly = ({ name }: McpClient): McpClient => ({
  name,
  capabilities: () => ({ elicitation: { form: true } }),
  can: () => true,
  *elicit() {
    yield* suspend();
    throw new Error('a suspended question goes on only when it is halted');
  },
});

describe('pages of calls, for a client that shows them', () => {
  const opened: Session[] = [];
  let running: InProcess;
  const clients: Client[] = [];

  beforeEach(async () => {
    opened.length = 0;
    running = await startServer(
      { tools: [pickRow, add] },
      { tokens: [{ token: 't', principal: { name: 'copilot', apps: pagesFor(opened), client: pageOnly } }] },
    );
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await running.close();
  });

  async function connect(extensions: Record<string, object> = { [UI]: { mimeTypes: [MIME] } }) {
    const client = new Client({ name: randomUUID(), version: '1' }, { capabilities: { extensions } });
    const requestInit = { headers: { authorization: 'Bearer t' } };
    await client.connect(new StreamableHTTPClientTransport(running.url, { requestInit }));
    clients.push(client);
    return client;
  }

  async function draw(client: Client): Promise<string> {
    const { contents } = await client.readResource({ uri: 'ui://parley/pick_row' });
    const [page] = contents;
    expect(page).toMatchObject({ mimeType: MIME, _meta: { ui: { csp: {} } } });
    const text = page && 'text' in page ? page.text : '';
    return /data-ticket="([^"]+)"/.exec(String(text))?.[1] ?? '';
  }

  const watch = (client: Client, ticket: string, input: object, after = 0) =>
    client
      .callTool({ name: APP_TOOLS.watch, arguments: { ticket, input, after } })
      .then(
        ({ structuredContent }) => structuredContent as { state: string; messages: object[]; at: number },
      );
  const answer = (client: Client, ticket: string, row: number) =>
    client.callTool({
      name: APP_TOOLS.send,
      arguments: { ticket, messages: [{ parley: 'parley/1', name: 'answer', body: { row } }] },
    });

  async function refusal(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
    const { isError, content } = await client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    return (content as { text: string }[])[0]?.text ?? '';
  }

  it('names a page for tools that ask, and has two tools that only pages see', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description?.includes('on a page')])).toContainEqual([
      'pick_row',
      true,
    ]);
    const meta = Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta?.ui]));
    expect(meta).toEqual({
      pick_row: { resourceUri: 'ui://parley/pick_row' },
      add: undefined,
      [APP_TOOLS.watch]: { visibility: ['app'] },
      [APP_TOOLS.send]: { visibility: ['app'] },
    });
  });

  it('has neither for a client that shows no pages', async () => {
    const client = await connect({});
    const { tools } = await client.listTools();
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
      ['add', undefined],
      ['pick_row', undefined],
    ]);
    await expect(client.readResource({ uri: 'ui://parley/pick_row' })).rejects.toThrow(/not found/i);
    await expect(watch(client, 'x', {})).rejects.toThrow(/Unknown tool/);
  });

  it('waits for tools that are on their way, as a conversation of earlier may be shown before they are there', async () => {
    await running.close();
    const late = withResolvers<void>();
    let tools: (typeof pickRow)[] = [];
    let changed = () => {};
    const subscribe = (listener: () => void) => {
      changed = listener;
      return () => {};
    };
    const apps: AppPages = { ...pagesFor(opened), loaded: () => late.operation };
    running = await startServer(
      { tools: { list: () => [add, ...tools], subscribe } },
      { tokens: [{ token: 't', principal: { name: 'copilot', apps, client: pageOnly } }] },
    );
    const client = await connect();
    const drawn = draw(client);
    // Whatever was asked before this has come.
    await client.ping();
    tools = [pickRow];
    changed();
    late.resolve();
    expect(await drawn).not.toBe('');
    await expect(client.readResource({ uri: 'ui://parley/none' })).rejects.toThrow(/not found/i);
  });

  it('has a page for a conversation of earlier whose tool is gone, which tells of no call', async () => {
    await running.close();
    const apps: AppPages = {
      ...pagesFor(opened),
      *oldDocument(ticket) {
        return `<html data-ticket="${ticket}">gone</html>`;
      },
    };
    running = await startServer(
      { tools: [add] },
      { tokens: [{ token: 't', principal: { name: 'copilot', apps, client: pageOnly } }] },
    );
    const client = await connect();
    const old = { ticket: await draw(client), input: { plane: 'A320' }, after: 0, over: true };
    const { structuredContent } = await client.callTool({ name: APP_TOOLS.watch, arguments: old });
    expect(structuredContent).toMatchObject({ state: 'ended', messages: [] });
    await expect(client.readResource({ uri: 'test://parley/none' })).rejects.toThrow(/not found/i);
  });

  it('asks on the page, goes on with its answer, and tells it of the end', async () => {
    const client = await connect();
    const ticket = await draw(client);
    const input = { plane: 'A320' };
    const first = watch(client, ticket, input);
    const call = client.callTool({ name: 'pick_row', arguments: input });
    expect(await first).toEqual({ state: 'open', messages: [{ asked: 'Which row?' }], at: 1 });
    await answer(client, ticket, 7);
    expect((await call).content).toEqual([{ type: 'text', text: 'row 7' }]);
    expect(await watch(client, ticket, input, 1)).toMatchObject({ state: 'ended', messages: [] });
  });

  it('gives a page no other call than its own', async () => {
    const client = await connect();
    const [mine, forged] = [await draw(client), 'AAAA'];
    const call = client.callTool({ name: 'pick_row', arguments: { plane: 'A320' } });
    expect((await watch(client, mine, { plane: 'A320' })).state).toBe('open');
    expect(
      await refusal(client, APP_TOOLS.watch, { ticket: forged, input: { plane: 'A320' }, after: 0 }),
    ).toMatch(/^Refused: .*only the user answers/);
    // What a model can know is worth nothing: the call's id, its question's, its input.
    const known = { call: opened[0]?.id, request: 1, input: { plane: 'A320' }, after: 0 };
    const said = [{ parley: 'parley/1', name: 'answer', body: { row: 1 } }];
    for (const ticket of [forged, '', '__proto__', String(opened[0]?.id)]) {
      expect(await refusal(client, APP_TOOLS.watch, { ticket, ...known })).toMatch(/^Refused/);
      expect(await refusal(client, APP_TOOLS.send, { ticket, messages: said })).toMatch(/^Refused/);
    }
    expect(opened[0]?.openAsks()).toHaveLength(1);

    const stranger = await connect();
    expect(await refusal(stranger, APP_TOOLS.watch, { ticket: mine, input: {}, after: 0 })).toMatch(
      /^Refused/,
    );
    expect(await refusal(stranger, APP_TOOLS.send, { ticket: mine, messages: [] })).toMatch(/^Refused/);
    expect(opened[0]?.openAsks()).toHaveLength(1);
    await answer(client, mine, 2);
    expect((await call).content).toEqual([{ type: 'text', text: 'row 2' }]);
  });

  it('gives out none of two calls that no page could tell apart', async () => {
    const client = await connect();
    const input = { plane: 'A320' };
    const calls = [1, 2].map(() => client.callTool({ name: 'pick_row', arguments: input }));
    const ticket = await draw(client);
    // The second has begun when the server answers what was sent after it.
    await client.ping();
    expect(await watch(client, ticket, input)).toMatchObject({ state: 'elsewhere' });
    expect(opened).toEqual([]);
    await client.close();
    await Promise.allSettled(calls);
  });

  it('refuses what is no poll and no answer', async () => {
    const client = await connect();
    await expect(client.callTool({ name: APP_TOOLS.watch, arguments: { ticket: 1 } })).rejects.toThrow(
      /ticket/,
    );
    const messages = Array.from({ length: 101 }, () => ({}));
    await expect(
      client.callTool({ name: APP_TOOLS.send, arguments: { ticket: 'x', messages } }),
    ).rejects.toThrow(/messages/);
  });
});
