import { run, until } from 'effection';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createLogin,
  foreignTool,
  type Login,
  type ServerConnection,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { saidIn } from '#src/mcp/client/reader/read-answer.ts';
import { type AuthorizationServer, logInAs, startAuthorizationServer } from './kit/authorization-server.ts';
import { plain } from './kit/durable-tools.ts';
import { type GuardedServer, namesOf, startGuardedServer, whyWaiting } from './kit/guarded-server.ts';
import { hello } from './kit/hello.ts';

let guarded: GuardedServer;
let authorization: AuthorizationServer;
let url: string;

beforeEach(async () => {
  guarded = await startGuardedServer([plain, hello]);
  ({ authorization, url } = guarded);
});
afterEach(async () => {
  await guarded.close();
});

/** What one person's programs keep, and how often the person was sent to a page. */
function person(kept: { text?: string } = {}) {
  const pages: URL[] = [];
  const all: { login?: Login } = {};
  const loginFrom = (redirect: string, at = url, clientId?: string): Login => {
    all.login = createLogin({
      ...(clientId === undefined ? {} : { client: { clientId } }),
      url: at,
      redirect,
      read: async () => kept.text,
      keep: async (text) => {
        kept.text = text;
      },
      async send(page, state) {
        pages.push(page);
        expect(page.searchParams.get('state')).toBe(state);
        expect(state.length).toBeGreaterThan(40);
        return await logInAs('ann', page);
      },
    });
    return all.login;
  };
  return Object.assign(all, { kept, pages, loginFrom });
}

/** Connects with a login, and gives what became of it. */
const connected = <T>(login: Login, look: (connection: ServerConnection) => Promise<T>): Promise<T> =>
  run(function* () {
    const connection = yield* useMcpConnection(
      { kind: 'http', name: 'guarded', url, headers: {} },
      { login },
    );
    return yield* until(look(connection));
  });

describe('a server that wants a login', () => {
  it('gets the person to its page once, and what that gave is used from then on, from any address', async () => {
    const ann = person();
    expect(await connected(ann.loginFrom('http://127.0.0.1:1/login'), namesOf)).toEqual(['hello', 'plain']);
    expect(ann.pages).toHaveLength(1);
    expect(ann.kept.text).toContain('access_token');
    expect(await connected(ann.loginFrom('http://127.0.0.1:2/login'), namesOf)).toEqual(['hello', 'plain']);
    expect(ann.pages).toHaveLength(1);
  });

  it('is logged in at by a client that is known there already, from any port, and nothing is printed', async () => {
    const printed = vi.spyOn(console, 'warn');
    const ann = person();
    for (const port of [1, 2]) {
      const login = ann.loginFrom(`http://127.0.0.1:${port}/login`, url, 'an editor');
      expect(await connected(login, namesOf)).toEqual(['hello', 'plain']);
      expect(ann.pages.map(({ searchParams }) => searchParams.get('client_id'))).toEqual(
        Array.from({ length: port }, () => 'an editor'),
      );
      delete ann.kept.text;
    }
    expect(printed.mock.calls).toEqual([]);
  });

  it('is not given what was kept for another address', async () => {
    const ann = person();
    await connected(ann.loginFrom('http://127.0.0.1:1/login'), namesOf);
    const elsewhere = ann.loginFrom('http://127.0.0.1:1/login', 'https://another.example.com/mcp');
    expect(await elsewhere.provider.tokens()).toBeUndefined();
    expect(await elsewhere.provider.clientInformation()).toBeUndefined();
  });

  it('is not logged out at by calls that find at one moment that their token is over', async () => {
    const over = new Set<string>();
    const used = new Set<string>();
    const serve = guarded.listener;
    guarded.listener = (req, res) => {
      const { authorization = '' } = req.headers;
      if (over.has(authorization)) {
        res.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
        return;
      }
      if (authorization !== '') used.add(authorization);
      serve(req, res);
    };
    const ann = person();
    const texts = await connected(ann.loginFrom('http://127.0.0.1:1/login'), async (connection) => {
      await namesOf(connection);
      for (const token of used) over.add(token);
      const client = await run(() => connection.client());
      const calls = Array.from({ length: 8 }, () => client.callTool({ name: 'hello', arguments: {} }));
      return (await Promise.all(calls)).map((result) => saidIn(result).content);
    });
    expect(texts).toEqual(Array.from({ length: 8 }, () => [{ type: 'text', text: 'hello' }]));
    expect(ann.pages).toHaveLength(1);
  });

  it('sends the person to one page, however many calls want a login at one moment', async () => {
    const ann = person();
    const texts = await connected(ann.loginFrom('http://127.0.0.1:1/login'), async (connection) => {
      await namesOf(connection);
      const { tokens, ...kept } = JSON.parse(ann.kept.text ?? '');
      await ann.login?.provider.saveTokens({ ...tokens, access_token: 'over', refresh_token: undefined });
      expect(kept).toHaveProperty('client');
      const tool = connection.offers().tools.find(({ name }) => name === 'hello');
      if (!tool) throw new Error('it has no such tool');
      const call = () => run(() => runMcpTool(foreignTool(connection, tool), {}, createMockMcpClient({})));
      return await Promise.all(Array.from({ length: 200 }, call));
    });
    expect(texts).toHaveLength(200);
    expect(ann.pages).toHaveLength(2);
  }, 60_000);

  it('is logged in at anew where it has moved to another authorization server', async () => {
    const other = await startAuthorizationServer();
    const ann = person();
    const said = await connected(ann.loginFrom('http://127.0.0.1:1/login'), async (connection) => {
      await namesOf(connection);
      guarded.guard(other.issuer);
      const tool = connection.offers().tools.find(({ name }) => name === 'hello');
      if (!tool) throw new Error('it has no such tool');
      return await run(() => runMcpTool(foreignTool(connection, tool), {}, createMockMcpClient({})));
    });
    expect(said).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
    expect(ann.pages.map(({ origin }) => origin)).toEqual([authorization.issuer, other.issuer]);
    await other.close();
  });

  it('says so when the person does not log in, and everything that is kept in a bad shape is as nothing', async () => {
    const login = person({ text: '{"url":' }).loginFrom('http://127.0.0.1:1/login');
    const refusing: Login = { ...login, answer: () => Promise.reject(new Error('You are not logged in.')) };
    expect(await connected(refusing, whyWaiting)).toContain('You are not logged in.');
  });
});
