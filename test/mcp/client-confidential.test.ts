import { run, until } from 'effection';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createLogin,
  fillInServer,
  foreignTool,
  parseServer,
  type ServerConnection,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { type AuthorizationServer, logInAs, secretOf } from './kit/authorization-server.ts';
import { type GuardedServer, namesOf, startGuardedServer, whyWaiting } from './kit/guarded-server.ts';
import { listening, vouching, type Wish } from './kit/vouching.ts';

const ID = 'an app: 50% of it';
const app = { clientId: ID, clientSecret: secretOf(ID) };

let guarded: GuardedServer;
let authorization: AuthorizationServer;
let url: string;
let printed: string[];

beforeEach(async () => {
  guarded = await startGuardedServer();
  ({ authorization, url } = guarded);
  printed = [];
  for (const method of ['warn', 'error', 'log'] as const)
    vi.spyOn(console, method).mockImplementation((...said) => {
      // What the authorization server of the test prints is its own.
      if (!String(said[0]).startsWith('oidc-provider')) printed.push(said.join(' '));
    });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await guarded.close();
});

/** What the programs of one person keep, and where they were sent. */
interface Person {
  readonly pages: URL[];
  text?: string;
}

/** Connects as an entry says, and gives what became of it, and every line that the connection said. */
async function connected<T>(
  oauth: object,
  look: (connection: ServerConnection) => Promise<T>,
  person: Person = { pages: [] },
) {
  const lines: string[] = [];
  const written = parseServer('guarded', { url, oauth: { issuer: authorization.issuer, ...oauth } });
  const entry = await fillInServer(written, { workspaceFolder: '/w', env: {}, readText: async () => '' });
  if (entry.kind !== 'http' || !entry.client) throw new Error('it has no client of its own');
  const login = createLogin({
    url,
    client: entry.client,
    ...(entry.scope ? { scope: entry.scope } : {}),
    redirect: 'http://127.0.0.1:1/login',
    shared: true,
    read: async () => person.text,
    keep: async (kept) => {
      person.text = kept;
    },
    async send(page, state) {
      person.pages.push(page);
      return page.origin === authorization.issuer
        ? await logInAs('ann', page)
        : new URLSearchParams({ code: 'a code', state });
    },
  });
  const came = await run(function* () {
    const connection = yield* useMcpConnection(entry, {
      login,
      onLog: ({ message, data }) => lines.push(`${message} ${JSON.stringify(data)}`),
    });
    return yield* until(look(connection));
  });
  return { came, said: lines.join('\n'), person };
}

/** Calls its tool, and says what came of it. */
const called = async (connection: ServerConnection) => {
  const [tool] = connection.offers().tools;
  if (!tool) throw new Error('it has no tool');
  const said = run(() => runMcpTool(foreignTool(connection, tool), {}, createMockMcpClient({})));
  return await said.then((result) => (result as { readonly content: unknown }).content, String);
};

/** What was given so far counts no more. */
function endTokens(person: Person) {
  const { access_token } = JSON.parse(person.text ?? '').tokens;
  const serve = guarded.listener;
  guarded.listener = (req, res) => {
    if (req.headers.authorization === `Bearer ${access_token}`)
      res.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    else serve(req, res);
  };
}

/** An authorization server that anybody can log in at, and that answers as a test says. */
async function startOther(answer: (wish: Wish) => object, methods?: readonly string[]) {
  const wishes: Wish[] = [];
  const other = await listening(vouching(answer, wishes, methods ? { methods } : {}));
  onTestFinished(() => other.close());
  guarded.guard(other.url);
  return { issuer: other.url, wishes };
}

describe('a client with a secret that somebody has registered by hand', () => {
  it('asks for what its entry says, in place of what the server names', async () => {
    const page = async (oauth: object) => {
      const { came, person } = await connected({ ...app, ...oauth }, namesOf);
      expect(came).toEqual(['hello']);
      return person.pages.map(({ searchParams }) => searchParams.get('scope'));
    };
    const [named] = await page({});
    expect(named).toContain('tools');
    expect(await page({ scope: 'openid tools' })).toEqual(['openid tools offline_access']);
  });

  it('logs a person in and renews that, whatever signs its id and secret have; the secret is kept and said nowhere', async () => {
    const person: Person = { pages: [] };
    const { came, said } = await connected(
      app,
      async (connection) => {
        await namesOf(connection);
        endTokens(person);
        return await called(connection);
      },
      person,
    );
    expect(came).toEqual([{ type: 'text', text: 'hello' }]);
    expect(person.pages).toHaveLength(1);
    expect(authorization.logins()).toBe(2);
    expect(`${person.text}${said}${printed}`).not.toContain('100%');
    expect(printed).toEqual([]);
  });

  it.each([
    ['client_secret_basic', undefined],
    ['client_secret_basic', ['client_secret_post', 'client_secret_basic', 'none']],
    ['client_secret_post', ['client_secret_post', 'none']],
  ] as const)('says who it is by %s where its authorization server takes %j', async (method, methods) => {
    const tokens = { access_token: 'none of theirs', token_type: 'Bearer' };
    const { issuer, wishes } = await startOther(() => tokens, methods);
    await connected({ ...app, issuer }, whyWaiting);
    const basic = `Basic ${Buffer.from('an+app%3A+50%25+of+it:a%2Bb%2Fc%3Dd%3A+100%25+of+an+app%3A+50%25+of+it').toString('base64')}`;
    const [wish] = wishes;
    if (method === 'client_secret_basic') {
      expect(wish?.authorization).toBe(basic);
      expect(wish?.form).not.toHaveProperty('client_secret');
    } else {
      expect(wish?.authorization).toBeUndefined();
      expect(wish?.form).toMatchObject({ client_id: app.clientId, client_secret: app.clientSecret });
    }
    expect(wish?.form).toMatchObject({ grant_type: 'authorization_code' });
  });

  it('is for its authorization server alone: at any other nobody is sent to a page, and nothing is asked', async () => {
    const { wishes } = await startOther(() => ({}));
    const { came, person } = await connected(app, whyWaiting);
    expect(came).toMatch(/^it wants a login at http:.*, and its client is for http:/);
    expect(came).toContain(authorization.issuer);
    expect(person.pages).toEqual([]);
    expect(wishes).toEqual([]);
  });

  it('stays with its authorization server where its server moves to another one, and what was kept stays', async () => {
    const person: Person = { pages: [] };
    const { came } = await connected(
      app,
      async (connection) => {
        await namesOf(connection);
        const { wishes } = await startOther(() => ({}));
        endTokens(person);
        const said = await called(connection);
        expect(wishes).toEqual([]);
        return said;
      },
      person,
    );
    expect(came).toContain("the server 'guarded' is not available: it wants a login at");
    expect(person.pages).toHaveLength(1);
    expect(person.text).toContain('refresh_token');
  });

  it('that is refused is brought once, and the person reads why, without what was brought', async () => {
    const { issuer, wishes } = await startOther(({ form, authorization }) => ({
      error: 'invalid_client',
      error_description: `no \u202e${form.code} ${form.code_verifier} ${app.clientSecret} ${authorization}`,
    }));
    const { came, said, person } = await connected({ ...app, issuer }, whyWaiting);
    expect(came).toBe(`the login at ${new URL(issuer).host} was refused: invalid_client (no … … … Basic …)`);
    expect(wishes).toHaveLength(1);
    expect(person.pages).toHaveLength(1);
    expect(`${said}${printed}`).toBe('');
  });

  it('that is refused when a login is renewed costs no login: it is the secret that is wrong', async () => {
    const person: Person = { pages: [] };
    await connected(app, namesOf, person);
    endTokens(person);
    const { came } = await connected({ ...app, clientSecret: 'another' }, whyWaiting, person);
    expect(came).toContain('was refused: invalid_client');
    expect(person.pages).toHaveLength(1);
    expect(printed).toEqual([]);
    expect((await connected(app, namesOf, person)).came).toEqual(['hello']);
    expect(person.pages).toHaveLength(1);
  });

  it('has logins of its own: those of another authorization server are not used', async () => {
    const person: Person = { pages: [] };
    await connected(app, namesOf, person);
    const { came } = await connected({ ...app, issuer: 'https://login.example.com' }, whyWaiting, person);
    expect(came).toContain('its client is for https://login.example.com');
  });
});

it('a login that cannot be renewed, since nobody answers, sends no person to a page', async () => {
  const person: Person = { pages: [] };
  await connected(app, namesOf, person);
  endTokens(person);
  authorization.fail('/token');
  const { came } = await connected(app, whyWaiting, person);
  expect(came).toMatch(/^the login at 127\.0\.0\.1:\d+ cannot be reached to renew it \(/);
  expect(person.pages).toHaveLength(1);
  expect(printed).toEqual([]);
});
