import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPostgres } from '#test/harness/postgres/postgres.ts';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import {
  type AuthorizationServer,
  logInAs,
  secretOf,
  startAuthorizationServer,
} from './kit/authorization-server.ts';
import { client2025, client2026, http2025, http2026 } from './kit/clients.ts';
import { plain } from './kit/durable-tools.ts';
import { cli, root, type Served, serveHttp } from './kit/parley-serve.ts';

const resource = 'https://tools.example.com/mcp';
const tools = join(root, 'test/mcp/kit/asks-hub.ts');
const started = join(root, 'test/mcp/kit/says-its-process.ts');

let folder: string;
let login: AuthorizationServer;
let behind: McpServer;
let http: ReturnType<typeof createServer>;
let url: string;
/** Whose tokens the server behind was sent, and for what they were made out. */
let seen: { readonly sub: string; readonly aud: string }[] = [];
const running: Served[] = [];
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = tempFolder();
  login = await startAuthorizationServer();
});
beforeEach(async () => {
  seen = [];
  http = createServer((req, res) => {
    const token = payloadOf(req);
    if (token) seen.push(token);
    handler(req, res);
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  behind = createMcpServer({ name: 'behind a login', version: '1', tools: [plain] });
  const handler = behind.createHandler({ oauth: { issuer: login.issuer, resource: url, scopes: ['tools'] } });
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  for (const one of clients.splice(0).reverse()) await one.close();
  await behind.close();
  http.closeAllConnections();
  await new Promise((closed) => http.close(closed));
});
afterAll(async () => {
  await login.close();
});

function payloadOf({ headers: { authorization = '' } }: IncomingMessage) {
  const [, body] = authorization.split('.');
  return body === undefined ? undefined : JSON.parse(Buffer.from(body, 'base64url').toString());
}

async function serve(servers: object, ...flags: readonly string[]): Promise<Served> {
  const file = join(folder, `${Math.random()}.json`);
  await writeFile(file, JSON.stringify({ servers }));
  const oauth = ['--oauth-issuer', login.issuer, '--oauth-resource', resource];
  const served = await serveHttp([tools], '--servers', file, ...oauth, ...flags);
  running.push(served);
  return served;
}

/** Has servers keep what they keep in a PostgreSQL of the test's own. */
async function inPostgres(): Promise<readonly string[]> {
  const postgres = await startPostgres({ max_connections: '60' });
  clients.push(postgres);
  process.env.PARLEY_STATE_PASSWORD = postgres.password;
  onTestFinished(() => void delete process.env.PARLEY_STATE_PASSWORD);
  const address = postgres.url.replace(`:${postgres.password}@`, '@');
  return ['--state', address, '--state-key-file', join(folder, 'key')];
}

type Answer = (params: { readonly message: string; readonly url?: string }) => object | Promise<object>;

/** A client of a principal; `answer` is asked what the person does with pages and codes. */
async function clientOf(principal: 'ann' | 'bob', { url }: Served, answer: Answer, modes = ['form', 'url']) {
  const client = client2026();
  client.registerCapabilities({ elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) });
  client.setRequestHandler('elicitation/create', ({ params }) => answer(params) as never);
  const token = await login.token(principal, resource, 'tools');
  await client.connect(http2026({ url, token }));
  clients.push(client);
  return client;
}

/** What the page at the end of a login shows in a browser that comes back to a server. */
async function cameBack({ url: at }: Served, query: URLSearchParams) {
  const page = await fetch(new URL(`/login?${query}`, at));
  const html = await page.text();
  return { status: page.status, html, code: /<h1>([A-Z\d]{4}-[A-Z\d]{4})<\/h1>/.exec(html)?.[1] ?? '' };
}

/** Logs in as somebody, and says what the page shows. */
function person(name: string, served: Served): Answer {
  let code = '';
  return async (params) => {
    if (params.url !== undefined) {
      code = (await cameBack(served, await logInAs(name, new URL(params.url)))).code;
      return { action: 'accept' };
    }
    return { action: 'accept', content: params.message === 'Who?' ? { name } : { code } };
  };
}

const nobody: Answer = () => ({ action: 'decline' });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const textOf = ({ content }: { content: unknown }) => (content as { text?: string }[])[0]?.text;
const call = async (client: Client, name: string) => textOf(await client.callTool({ name, arguments: {} }));

describe('servers behind parley serve --http', () => {
  it('are logged in at by each principal for itself: who has not sees the login alone, and no token of ours goes on', async () => {
    const served = await serve({ hub: { url } });
    const ann = await clientOf('ann', served, person('ann behind', served));
    const bob = await clientOf('bob', served, nobody);
    expect(await namesOf(ann)).toEqual(['ask_hub', 'hub__log_in']);
    expect(await call(ann, 'hub__log_in')).toBe('logged in to hub');
    await vi.waitFor(async () => expect(await namesOf(ann)).toEqual(['ask_hub', 'hub__plain']), 20_000);
    expect(await namesOf(bob)).toEqual(['ask_hub', 'hub__log_in']);
    await expect(call(bob, 'hub__plain')).rejects.toThrow('Unknown tool');
    expect(await call(ann, 'hub__plain')).toBe('hello ann behind');
    // A tool of ours reaches what its caller may reach.
    expect(await call(ann, 'ask_hub')).toContain('hello ann behind');
    expect(await call(bob, 'ask_hub')).toContain("'hub/plain'");
    expect(await call(bob, 'hub__log_in')).toBe('the login to hub was not completed');
    expect(seen.length).toBeGreaterThan(0);
    for (const token of seen) expect(token).toMatchObject({ sub: 'ann behind', aud: url });
  });

  it('are logged in at by each principal with the client of their entry, whose secret is from the environment', async () => {
    const clientId = 'an app: 50% of it';
    process.env.HUB_SECRET = secretOf(clientId);
    onTestFinished(() => void delete process.env.HUB_SECRET);
    const oauth = { issuer: login.issuer, clientId, clientSecret: ['$', '{env:HUB_SECRET}'].join('') };
    const served = await serve({ hub: { url, oauth } });
    const ann = await clientOf('ann', served, person('ann behind', served));
    expect(await call(ann, 'hub__log_in')).toBe('logged in to hub');
    await vi.waitFor(async () => expect(await namesOf(ann)).toEqual(['ask_hub', 'hub__plain']), 20_000);
    expect(await call(ann, 'hub__plain')).toBe('hello ann behind');
  });

  it('are logged in at with the credentials of their entry, for each principal, and nobody is asked', async () => {
    const oauth = {
      grantType: 'client_credentials',
      issuer: login.issuer,
      clientId: 'a service',
      clientSecret: 'secret of a service',
    };
    const served = await serve({ hub: { url, oauth }, common: { url, oauth, shared: true } });
    for (const name of ['ann', 'bob'] as const) {
      const client = await clientOf(name, served, () => ({ action: 'accept', content: { name } }));
      expect(await namesOf(client)).toEqual(['ask_hub', 'common__plain', 'hub__plain']);
      expect(await call(client, 'hub__plain')).toBe(`hello ${name}`);
    }
    for (const token of seen) expect(token).toMatchObject({ sub: 'a service', aud: url });
  });

  it('are logged in at with a client that opens no pages, too', async () => {
    const served = await serve({ hub: { url } });
    let code = '';
    const token = await login.token('ann', resource, 'tools');
    const client = client2025({ elicitation: true });
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const page = /https?:\/\/\S+/.exec(params.message)?.[0];
      if (page === undefined) return { action: 'accept', content: { code } };
      code = (await cameBack(served, await logInAs('ann behind', new URL(page)))).code;
      return { action: 'accept', content: {} };
    });
    await client.connect(http2025({ url: served.url, token }));
    clients.push(client);
    expect(textOf((await client.callTool({ name: 'hub__log_in', arguments: {} })) as never)).toBe(
      'logged in to hub',
    );
    await vi.waitFor(
      async () => expect((await client.listTools()).tools.map(({ name }) => name)).toContain('hub__plain'),
      20_000,
    );
  });

  it('take no login from who cannot say the code that the page showed, such as whoever sent its link to somebody else', async () => {
    const served = await serve({ hub: { url } });
    const queries: URLSearchParams[] = [];
    let tries = 0;
    const bob = await clientOf('bob', served, async (params) => {
      if (params.url === undefined) return { action: 'accept', content: { code: `ABCD-${++tries}` } };
      const query = await logInAs('ann, who was sent a link', new URL(params.url));
      queries.push(query);
      const first = await cameBack(served, query);
      expect(first.html).toContain('do not share it');
      // The code is on the first page alone.
      expect(await cameBack(served, query)).toMatchObject({ status: 410, code: '' });
      return { action: 'accept' };
    });
    const failed = await bob.callTool({ name: 'hub__log_in', arguments: {} });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('code of the login was not entered');
    expect(tries).toBe(5);
    expect(await namesOf(bob)).not.toContain('hub__plain');
    expect(seen).toEqual([]);
  });

  it('that are not there are named, and one that waits for a login is not one of them', async () => {
    const served = await serve({ none: { command: join(folder, 'nothing') }, hub: { url } });
    await namesOf(await clientOf('ann', served, nobody));
    await expect.poll(served.stderr).toContain("the server 'none' is not available");
    expect(served.stderr()).not.toContain("the server 'hub' is not available");
  });

  it('that say nothing keep no client waiting: it is answered before they are given up, for all and for each', async () => {
    const mute = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const served = await serve({ own: mute, common: { ...mute, shared: true } });
    const ann = await clientOf('ann', served, nobody);
    expect(served.stderr()).not.toContain('has not answered yet');
    expect(await namesOf(ann)).toContain('ask_hub');
    for (const name of ['own', 'common'])
      await expect.poll(served.stderr).toContain(`the server '${name}' has not answered yet`);
  });

  it('are one for all where their entry says so, and one for each otherwise, with nothing of the environment that is not named', async () => {
    process.env.PARLEY_TEST_SECRET = 'of the gateway';
    const command = { command: process.execPath, args: [cli, 'serve', started] };
    const served = await serve({
      own: { ...command, env: { NAMED: 'yes' } },
      common: { ...command, shared: true },
    });
    delete process.env.PARLEY_TEST_SECRET;
    const said = async (who: 'ann' | 'bob', name: string) =>
      JSON.parse((await call(await clientOf(who, served, nobody), name)) ?? '');
    const [ann, bob] = [await said('ann', 'own__whoami'), await said('bob', 'own__whoami')];
    expect(ann.pid).not.toBe(bob.pid);
    expect((await said('ann', 'own__whoami')).pid).toBe(ann.pid);
    expect((await said('ann', 'common__whoami')).pid).toBe((await said('bob', 'common__whoami')).pid);
    expect(ann.environment).toContain('NAMED');
    expect(ann.environment).not.toContain('PARLEY_TEST_SECRET');
  });

  it.each(inRings(['a folder'], ['PostgreSQL']))(
    'stay logged in at by who comes back to another process on %s, and a login may end there',
    async (store) => {
      const state = store === 'a folder' ? ['--state', join(folder, 'calls')] : await inPostgres();
      const [one, other] = [await serve({ hub: { url } }, ...state), await serve({ hub: { url } }, ...state)];
      let query = new URLSearchParams();
      const ann = await clientOf('ann', one, async (params) => {
        if (params.url === undefined) return { action: 'accept', content: { code: query.toString() } };
        query = await logInAs('ann behind', new URL(params.url));
        // The balancer has sent the browser to the other one.
        const shown = await cameBack(other, query);
        expect(shown.html).toContain(query.get('code'));
        return { action: 'accept' };
      });
      expect(await call(ann, 'hub__log_in')).toBe('logged in to hub');
      await one.stop('SIGKILL');
      const again = await clientOf('ann', other, nobody);
      await vi.waitFor(async () => expect(await namesOf(again)).toContain('hub__plain'), 20_000);
      expect(await namesOf(await clientOf('bob', other, nobody))).toEqual(['ask_hub', 'hub__log_in']);
    },
  );

  it('are refused where nobody can be told apart', async () => {
    await expect(serveHttp([tools], '--no-token', '--servers', 'servers.json')).rejects.toThrow(
      '--servers and --no-token cannot be used together',
    );
  });
});
