import { createMcpPrompt, createMcpResource, createMcpTool } from 'parley-mcp';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { bothEras } from './kit/edge.ts';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, openSession, send } from './kit/wire.ts';

const icons = [{ src: 'https://a.example/icon.svg', mimeType: 'image/svg+xml', sizes: ['any'] }];
const extensions = { 'com.example/shout': { loud: true } };
const page = createMcpResource('note://one', 'A note')
  .about({ icons, _meta: { 'com.example/shelf': 3 } })
  .read(function* (uri) {
    return [{ uri, text: 'hello', _meta: { 'com.example/page': 1 } }];
  });

async function start() {
  const running = await startServer({
    tools: testTools().tools,
    resources: [page],
    description: 'A server of a test',
    icons,
    extensions,
  });
  return running.url;
}

it('says what it is, with icons and extensions, in both eras', async () => {
  const url = await start();
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wire', version: '1.0.0' },
  };
  const opened = await send(url, { body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
  const [{ result } = { result: undefined }] = await opened.rest();
  expect(result).toMatchObject({
    serverInfo: { description: 'A server of a test', icons },
    capabilities: { extensions },
  });
  const discovered = await ask(url, 'server/discover', { _meta: envelope() });
  expect(discovered.result.capabilities).toMatchObject({ extensions });
  const info = discovered.result._meta['io.modelcontextprotocol/serverInfo'];
  expect(info).toMatchObject({ description: 'A server of a test', icons });
});

it('lists resources with icons and _meta, and what they hold with its own', async () => {
  const url = await start();
  for (const client of await bothEras(url)) {
    const { resources } = await client.request('resources/list');
    expect(resources).toMatchObject([{ uri: 'note://one', icons, _meta: { 'com.example/shelf': 3 } }]);
    const { contents } = await client.request('resources/read', { uri: 'note://one' });
    expect(contents).toEqual([{ uri: 'note://one', text: 'hello', _meta: { 'com.example/page': 1 } }]);
  }
});

it('answers a ping of the era that has one', async () => {
  const session = await openSession(await start());
  const [pong] = await (await session.request(7, 'ping')).rest();
  expect(pong).toMatchObject({ id: 7, result: {} });
});

it('lets a list that never changes be kept, for the one who asked', async () => {
  const url = await start();
  const { result } = await ask(url, 'tools/list');
  expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
});

it('lists tools and prompts with icons and _meta', async () => {
  const facts = { icons, _meta: { 'com.example/shelf': 3 } };
  const tool = createMcpTool('plain').description('x').parameters(z.object({})).about(facts).elicits({});
  const prompt = createMcpPrompt('review').description('x').about(facts).arguments(z.object({})).elicits({});
  const running = await startServer({
    tools: [tool.execute(function* () {})],
    prompts: [
      prompt.messages(function* () {
        return 'Review this.';
      }),
    ],
  });
  for (const client of await bothEras(running.url)) {
    expect((await client.request('tools/list')).tools).toMatchObject([facts]);
    expect((await client.request('prompts/list')).prompts).toMatchObject([facts]);
  }
});

it('hands on what a sampling says for the provider; the conversation is asked for where the client can look into it', async () => {
  const sampling = createMcpTool('sampling')
    .description('x')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_, ctx) {
      const metadata = { 'com.example/user': 'u1' };
      yield* ctx.sample({ prompt: 'hi', metadata, includeContext: 'thisServer' });
    });
  const running = await startServer({ tools: [sampling] });
  for (const [sampled, context] of [
    [{ context: {} }, 'thisServer'],
    [{}, undefined],
  ] as const) {
    const asked = { metadata: { 'com.example/user': 'u1' }, ...(context ? { includeContext: context } : {}) };
    const session = await openSession(running.url, { sampling: sampled });
    const reply = await session.request(1, 'tools/call', { name: 'sampling', arguments: {} });
    const { params } = await reply.until(({ method }) => method === 'sampling/createMessage');
    expect(params).toMatchObject(asked);
    expect('includeContext' in params).toBe(context !== undefined);
    const { result } = await ask(running.url, 'tools/call', {
      name: 'sampling',
      arguments: {},
      _meta: envelope({ sampling: sampled }),
    });
    const [later] = Object.values<{ params: object }>(result.inputRequests);
    expect(later?.params).toMatchObject(asked);
    expect('includeContext' in (later?.params ?? {})).toBe(context !== undefined);
  }
});
