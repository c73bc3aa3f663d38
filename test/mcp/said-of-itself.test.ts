import { createMcpResource } from 'parley-mcp';
import { afterEach, expect, it } from 'vitest';
import { bothEras } from './kit/edge.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, openSession, send } from './kit/wire.ts';

let running: InProcess | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const icons = [{ src: 'https://a.example/icon.svg', mimeType: 'image/svg+xml', sizes: ['any'] }];
const extensions = { 'com.example/shout': { loud: true } };
const page = createMcpResource('note://one', 'A note')
  .about({ icons, _meta: { 'com.example/shelf': 3 } })
  .read(function* (uri) {
    return [{ uri, text: 'hello', _meta: { 'com.example/page': 1 } }];
  });

async function start() {
  running = await startServer({
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
