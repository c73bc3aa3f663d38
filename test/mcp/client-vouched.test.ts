import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, until } from 'effection';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fillInServer, parseServer, useMcpConnection } from '#src/mcp/client/index.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { hello } from './kit/hello.ts';
import { guarded, listening, vouching, type Wish } from './kit/vouching.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const WORKLOAD = 'eyJhbGciOiJub25lIn0.workload.sig';
const ID_TOKEN = 'eyJhbGciOiJub25lIn0.person.sig';

type Listening = Awaited<ReturnType<typeof listening>>;

let answer: (wish: Wish) => object;
let wishes: Wish[];
let vouched: Wish[];
let issuer: string;
let server: McpServer;
let login: Listening;
let idp: Listening;
let http: Listening;
let folder: string;

beforeEach(async () => {
  wishes = [];
  vouched = [];
  answer = () => ({ access_token: 'in', token_type: 'Bearer' });
  login = await listening(vouching((wish) => answer(wish), wishes));
  idp = await listening(
    vouching(
      () => ({
        access_token: 'vouched.for.person',
        token_type: 'N_A',
        issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      }),
      vouched,
    ),
  );
  issuer = login.url;
  server = createMcpServer({ name: 'guarded', version: '1', tools: [hello] });
  http = await listening(guarded(server.createHandler(), 'in', () => issuer));
  folder = tempFolder();
});
afterEach(async () => {
  await server.close();
  for (const one of [login, idp, http]) await one.close();
});

/** Connects as an entry says; gives what it offers, or why there is nothing. */
async function came(oauth: object): Promise<readonly string[] | string> {
  const written = parseServer('guarded', {
    url: `${http.url}/mcp`,
    oauth: { grantType: JWT_BEARER, issuer: login.url, clientId: 'a workload', ...oauth },
  });
  const entry = await fillInServer(written, { workspaceFolder: '/w', env: {}, readText: async () => '' });
  return await run(function* () {
    const connection = yield* useMcpConnection(entry);
    return yield* until(
      vi.waitFor(() => {
        const state = connection.state();
        if (state.kind === 'waiting') return state.why;
        expect(state.kind).toBe('ready');
        return connection.offers().tools.map(({ name }) => name);
      }, 20_000),
    );
  });
}

it('a workload logs in with the token that says who it is, read from its file at each login', async () => {
  const path = join(folder, 'token');
  await writeFile(path, `${WORKLOAD}\n`);
  expect(await came({ assertion: path, scope: 'tools' })).toEqual(['hello']);
  expect(wishes).toEqual([
    {
      form: {
        grant_type: JWT_BEARER,
        assertion: WORKLOAD,
        client_id: 'a workload',
        scope: 'tools',
        resource: `${http.url}/mcp`,
      },
      authorization: undefined,
    },
  ]);
  expect(await came({ assertion: WORKLOAD, clientSecret: 'hush' })).toEqual(['hello']);
  expect(wishes[1]?.authorization).toBe(`Basic ${btoa('a+workload:hush')}`);
});

it('a file that holds no token is sent to nobody', async () => {
  const path = join(folder, 'token');
  await writeFile(path, 'root:x:0:0');
  expect(await came({ assertion: path })).toBe(`oauth.assertion: '${path}' holds no token (JWT)`);
  expect(wishes).toEqual([]);
});

it('a token that is refused is not brought again, and not told', async () => {
  answer = ({ form }) => ({ error: 'invalid_grant', error_description: `over: ${form.assertion}` });
  const { host } = new URL(login.url);
  expect(await came({ assertion: WORKLOAD })).toBe(
    `the login at ${host} was refused: invalid_grant (over: …)`,
  );
  expect(wishes).toHaveLength(1);
});

it('a person who has logged in at their company is vouched for there', async () => {
  const oauth = {
    clientSecret: 'hush',
    idToken: ID_TOKEN,
    idpTokenEndpoint: `${idp.url}/token`,
    idpClientId: 'parley at the company',
  };
  expect(await came(oauth)).toEqual(['hello']);
  expect(vouched[0]?.form).toMatchObject({
    subject_token: ID_TOKEN,
    audience: login.url,
    resource: `${http.url}/mcp`,
    client_id: 'parley at the company',
  });
  expect(wishes).toEqual([
    {
      form: expect.objectContaining({ grant_type: JWT_BEARER, assertion: 'vouched.for.person' }),
      authorization: `Basic ${btoa('a+workload:hush')}`,
    },
  ]);
  expect(JSON.stringify(wishes)).not.toContain(ID_TOKEN);
});

it('a server gets nothing by naming somebody who passes for the one that the credentials are for', async () => {
  const stolen: Wish[] = [];
  const thief = await listening(vouching(() => ({}), stolen, { issuer: login.url }));
  issuer = thief.url;
  const oauth = { grantType: 'client_credentials', clientSecret: 'hush' };
  expect(await came(oauth)).toEqual(expect.any(String));
  issuer = `${thief.url}/`;
  expect(await came(oauth)).toEqual(expect.any(String));
  expect([stolen, wishes]).toEqual([[], []]);
  await thief.close();
});
