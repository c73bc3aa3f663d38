import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '#test/harness/free-port.ts';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { client2026, http2026 } from './kit/clients.ts';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';

const tools = join(root, 'test/mcp/kit/says-its-process.ts');
const TOKEN = 'a-token-that-both-of-them-know-0123456789';

let folder: string;
let tokenFile: string;
const running: Served[] = [];
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = tempFolder();
  tokenFile = join(folder, 'token');
  await writeFile(tokenFile, TOKEN, { mode: 0o600 });
});
afterEach(async () => {
  for (const one of clients.splice(0).reverse()) await one.close();
  for (const one of running.splice(0)) await one.stop();
});

/** Starts gateways, each of which names the next one, and the last one the first. */
async function circle(names: readonly string[], shared: boolean): Promise<readonly Served[]> {
  const ports = await Promise.all(names.map(freePort));
  return await Promise.all(
    names.map(async (name, at) => {
      const next = (at + 1) % names.length;
      const file = join(folder, `${name}-${Math.random()}.json`);
      const url = `http://127.0.0.1:${ports[next]}/mcp`;
      const entry = { url, headers: { Authorization: `Bearer ${TOKEN}` }, ...(shared ? { shared } : {}) };
      await writeFile(file, JSON.stringify({ servers: { [names[next] ?? '']: entry } }));
      const flags = ['--servers', file, '--port', String(ports[at]), '--token-file', tokenFile];
      const served = await serveHttp([tools], ...flags);
      running.push(served);
      return served;
    }),
  );
}

describe('gateways that name each other as servers offer each other’s tools a few servers deep, and say why no deeper:', () => {
  it.each<readonly [string, readonly string[], boolean]>(
    inRings(
      [['one that names itself', ['a'], true]],
      [
        ['two', ['a', 'b'], true],
        ['three', ['a', 'b', 'c'], true],
        ['two whose servers each principal has for itself', ['a', 'b'], false],
      ],
    ),
  )(
    '%s',
    async (_what, gateways, shared) => {
      const [first] = await circle(gateways, shared);
      if (!first) throw new Error('there is none');
      const client = client2026();
      clients.push(client);
      await client.connect(http2026({ url: first.url, token: TOKEN }) as never);
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      // Its own, and what has come through one server, two and three.
      await vi.waitFor(async () => expect(await names()).toHaveLength(4), { timeout: 60_000, interval: 500 });
      await vi.waitFor(
        () => expect(first.stderr()).toContain('have come through 3 servers and are left out'),
        60_000,
      );
      const deepest = (await names()).filter((name) => name !== 'whoami' && /_[0-9a-f]{8}$/.test(name));
      expect(await names()).toHaveLength(4);
      for (const name of deepest) {
        expect(await client.callTool({ name, arguments: {} })).not.toMatchObject({ isError: true });
      }
    },
    120_000,
  );
});
