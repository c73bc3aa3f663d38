import { run, until } from 'effection';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogin, type ServerConnection, useMcpConnection } from '#src/mcp/client/index.ts';
import { hello } from './kit/hello.ts';
import { guarded, listening, vouching, type Wish } from './kit/vouching.ts';

let server: McpServer;
let http: Awaited<ReturnType<typeof listening>>;
let login: Awaited<ReturnType<typeof listening>>;
let token: string;
let wishes: Wish[];
/** What is answered to whoever wants a token. */
let answer: (wish: Wish) => object;
/** What the authorization server says of itself, and what its server calls it. */
let says: { issuer?: string; more?: object };
let named: (url: string) => string;
let kept: string | undefined;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  token = 'a-token';
  wishes = [];
  kept = undefined;
  says = {};
  named = (url) => url;
  answer = () => ({ access_token: token, token_type: 'Bearer' });
  server = createMcpServer({ name: 'guarded', version: '1', tools: [hello] });
  const serve = server.createHandler();
  login = await listening(
    (self) => (req, res) => vouching((wish) => answer(wish), wishes, says)(self)(req, res),
  );
  http = await listening(
    (self) => (req, res) => guarded(serve, token, () => named(login.url))(self)(req, res),
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
  await http.close();
  await login.close();
});

/** Logs in, where the page sends back what a test says, and gives how the connection stands then. */
async function outcome(comesBack: (state: string) => object = (state) => ({ code: 'a code', state })) {
  let pages = 0;
  const parts = createLogin({
    url: `${http.url}/mcp`,
    client: { clientId: 'me' },
    redirect: 'http://127.0.0.1:1/login',
    read: async () => kept,
    keep: async (text) => {
      kept = text;
    },
    async send(_page, state) {
      pages += 1;
      return new URLSearchParams(comesBack(state) as Record<string, string>);
    },
  });
  return await run(function* () {
    const entry = { kind: 'http', name: 'guarded', url: `${http.url}/mcp`, headers: {} } as const;
    const connection: ServerConnection = yield* useMcpConnection(entry, { login: parts });
    const state = yield* until(
      vi.waitFor(() => {
        const now = connection.state();
        if (now.kind === 'connecting') throw new Error('it is not settled');
        return now;
      }, 20_000),
    );
    return { state, pages };
  });
}

describe('an authorization server', () => {
  it.each([0, -1, 1e300, '3600', 'soon', null, {}, [], true])(
    'may say what it likes of how long its token counts: %j',
    async (expires_in) => {
      answer = () => ({ access_token: token, token_type: 'Bearer', expires_in });
      expect((await outcome()).state).toMatchObject({ kind: 'ready' });
    },
  );

  it.each([
    ['a token that is a number', () => ({ access_token: 7, token_type: 'Bearer' })],
    ['a list', () => []],
    ['a token that breaks the line', () => ({ access_token: 'a\r\nx: 1', token_type: 'Bearer' })],
    ['no token', () => ({ token_type: 'Bearer' })],
    ['more than is kept', () => ({ access_token: 'x'.repeat(200_000), token_type: 'Bearer' })],
  ])('that gives %s gives nothing, and the person reads why, once', async (_what, said) => {
    answer = said;
    const { state, pages } = await outcome();
    expect(state).toMatchObject({ kind: 'waiting', why: expect.stringMatching(/token|kept|read/) });
    expect(JSON.stringify(state).length).toBeLessThan(600);
    expect(pages).toBe(1);
    expect(kept ?? '').not.toContain('access_token');
  });

  it.each<[string, { issuer?: string; named?: string; more?: object; given?: object }]>([
    ['with a slash where it is named without', { issuer: '/' }],
    ['without a slash where it is named with one', { named: '/' }],
    ['with a slash where it is named at a path', { issuer: '/realm/', named: '/realm' }],
    [
      'and null for what it has not',
      { more: { scopes_supported: null, registration_endpoint: null, jwks_uri: null } },
    ],
    ['and not what nobody needs', { more: { response_types_supported: null } }],
    ['and null in its token', { given: { token_type: 'Bearer', scope: null, refresh_token: null } }],
    ['and no type of its token', { given: {} }],
    ['and a list of scopes', { given: { token_type: 'bearer', scope: ['a', 'b'] } }],
  ])(
    'may say who it is %s',
    async (_what, { issuer = '', named: at = '', more = {}, given = { token_type: 'Bearer' } }) => {
      says = { issuer: login.url + issuer, more };
      named = (url) => url + at;
      answer = () => ({ access_token: token, ...given });
      expect((await outcome()).state).toMatchObject({ kind: 'ready' });
    },
  );

  it('that says that it is another one is not logged in at, in words', async () => {
    says = { issuer: 'https://evil.example.com' };
    const { state, pages } = await outcome();
    expect(state).toMatchObject({
      kind: 'waiting',
      why: `the login at ${login.url} says that it is another one: https://evil.example.com`,
    });
    expect(pages).toBe(0);
  });

  it.each([{ token_endpoint: 7 }, { authorization_endpoint: null }, { scopes_supported: 'all' }])(
    'that says %j of itself is not logged in at, in words',
    async (more) => {
      says = { more };
      const { state } = await outcome();
      expect(state).toMatchObject({ kind: 'waiting', why: expect.stringMatching(/cannot be read/) });
      expect(JSON.stringify(state)).not.toMatch(/invalid_type|"path"/);
    },
  );

  it('may give a token of 12 kB', async () => {
    token = 'x'.repeat(12_000);
    expect((await outcome()).state).toMatchObject({ kind: 'ready' });
  });

  it('whose word comes back in a refusal says it in one short line', async () => {
    answer = () => ({ error: 'invalid_grant', error_description: `\u202eno\r\n${'x'.repeat(100_000)}` });
    const { state } = await outcome();
    expect(state).toMatchObject({
      kind: 'waiting',
      why: expect.stringMatching(/^the login at [\d.:]+ was refused: invalid_grant/),
    });
    expect(JSON.stringify(state).length).toBeLessThan(600);
    expect(wishes).toHaveLength(1);
  });

  it('that sends the person back with an error says no word of its own where it could be anybody', async () => {
    const { state } = await outcome((given) => ({
      error: 'access_denied',
      error_description: '\u202e'.repeat(5_000),
      state: given,
    }));
    expect(JSON.stringify(state).length).toBeLessThan(600);
    expect(state).toMatchObject({ kind: 'waiting' });
    expect(wishes).toHaveLength(0);
  });
});
