import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { run, until } from 'effection';
import { calculateJwkThumbprint, decodeJwt, EmbeddedJWK, type JWK, jwtVerify } from 'jose';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogin, type ServerConnection, useMcpConnection } from '#src/mcp/client/index.ts';
import { saidIn } from '#src/mcp/client/reader/read-answer.ts';
import { type AuthorizationServer, logInAs, startAuthorizationServer } from './kit/authorization-server.ts';
import { hello } from './kit/hello.ts';
import { listening } from './kit/vouching.ts';

const PRM = '/.well-known/oauth-protected-resource/mcp';
const NONCE = 'a nonce of the server';

let authorization: AuthorizationServer;
let server: McpServer;
let http: Awaited<ReturnType<typeof listening>>;
/** How requests came in that were let in, and the proofs that they had. */
let schemes: (string | undefined)[];
let proofs: string[];
/** What the server asks for where there is no token. */
let challenge: string;
/** Tokens that are over. */
let over: Set<string>;

beforeEach(async () => {
  authorization = await startAuthorizationServer();
  server = createMcpServer({ name: 'bound', version: '1', tools: [hello] });
  const serve = server.createHandler();
  schemes = [];
  proofs = [];
  challenge = 'DPoP';
  over = new Set();
  http = await listening(
    (self): RequestListener =>
      async (req, res) => {
        if (req.url === PRM) {
          const metadata = {
            resource: `${self}/mcp`,
            authorization_servers: [authorization.issuer],
            scopes_supported: ['tools'],
          };
          res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
          return;
        }
        const [scheme, token] = req.headers.authorization?.split(' ') ?? [];
        if (token === undefined || over.has(token)) {
          res.writeHead(401, { 'www-authenticate': `${challenge} resource_metadata="${self}${PRM}"` }).end();
          return;
        }
        if (scheme === 'DPoP' && (await proofOf(req, `${self}/mcp`, token)) !== NONCE) {
          res
            .writeHead(401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': NONCE })
            .end();
          return;
        }
        schemes.push(scheme);
        serve(req, res);
      },
  );
});
afterEach(async () => {
  await server.close();
  await http.close();
  await authorization.close();
});

/** Checks the proof of a request, and gives its nonce. */
async function proofOf({ headers, method }: IncomingMessage, htu: string, token: string): Promise<unknown> {
  const proof = String(headers.dpop);
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' });
  const ath = createHash('sha256').update(token).digest('base64url');
  expect(payload).toMatchObject({ htm: method, htu, ath });
  const { cnf } = decodeJwt<{ cnf?: { jkt?: string } }>(token);
  expect(cnf?.jkt).toBe(await calculateJwkThumbprint(protectedHeader.jwk as JWK));
  expect(protectedHeader.jwk).not.toHaveProperty('d');
  proofs.push(proof);
  return payload.nonce;
}

/** A program of somebody who logs in wherever they are sent. */
function program(kept: { text?: string }, pages: URL[] = [], said: string[] = []) {
  return createLogin({
    url: `${http.url}/mcp`,
    redirect: 'http://127.0.0.1:1/login',
    shared: true,
    read: async () => kept.text,
    keep: async (text) => {
      kept.text = text;
    },
    warn: (message) => void said.push(message),
    async send(page) {
      pages.push(page);
      return await logInAs('ann', page);
    },
  });
}

const call = (login: ReturnType<typeof program>, times = 1) =>
  run(function* () {
    const entry = { kind: 'http', name: 'bound', url: `${http.url}/mcp`, headers: {} } as const;
    const connection: ServerConnection = yield* useMcpConnection(entry, { login });
    const client = yield* connection.client();
    const calls = Array.from({ length: times }, () => client.callTool({ name: 'hello', arguments: {} }));
    return yield* until(Promise.all(calls));
  });

it('a server that takes only tokens with a key gets each request with a proof of its own', async () => {
  const said = await call(program({}), 8);
  expect(said.map((result) => saidIn(result).content)).toEqual(
    Array.from({ length: 8 }, () => [{ type: 'text', text: 'hello' }]),
  );
  expect(new Set(schemes)).toEqual(new Set(['DPoP']));
  expect(new Set(proofs).size).toBe(proofs.length);
});

it('the key is kept with its tokens, and the next program goes on with it, also when they are over', async () => {
  const kept: { text?: string } = {};
  const pages: URL[] = [];
  await call(program(kept, pages));
  const { dpop, tokens } = JSON.parse(kept.text ?? '');
  await call(program(kept, pages));
  over.add(tokens.access_token);
  await call(program(kept, pages));
  expect(JSON.parse(kept.text ?? '').tokens.access_token).not.toBe(tokens.access_token);
  expect(pages).toHaveLength(1);
  expect(JSON.parse(kept.text ?? '').dpop).toEqual(dpop);
});

type Kept = { jwk: Record<string, string>; thumbprint: string };

it.each<[string, (key: Kept, other: Kept) => unknown]>([
  ['is of another curve', ({ jwk, thumbprint }) => ({ jwk: { ...jwk, crv: 'P-384' }, thumbprint })],
  ['has no secret half', ({ jwk: { d: _, ...jwk }, thumbprint }) => ({ jwk, thumbprint })],
  ['is half of another one', (key, { jwk }) => ({ ...key, jwk: { ...key.jwk, d: jwk.d } })],
  ['has the name of another one', (key, { thumbprint }) => ({ ...key, thumbprint })],
  ['is a text', () => 'key'],
  ['is an empty object', () => ({})],
])(
  'a key that is damaged is made anew, the person logs in once, and that is said once: it %s',
  async (_how, damage) => {
    const kept: { text?: string } = {};
    const other: { text?: string } = {};
    await call(program(kept));
    await call(program(other));
    const before = JSON.parse(kept.text ?? '');
    kept.text = JSON.stringify({ ...before, dpop: damage(before.dpop, JSON.parse(other.text ?? '').dpop) });
    const pages: URL[] = [];
    const said: string[] = [];
    expect(await call(program(kept, pages, said), 8)).toHaveLength(8);
    expect(pages).toHaveLength(1);
    expect(said).toEqual([
      'the key that its tokens are bound to is damaged: there will be a new one, and a new login',
    ]);
    await call(program(kept, pages, said));
    expect([pages.length, said.length]).toEqual([1, 1]);
    expect(JSON.parse(kept.text).dpop.thumbprint).not.toBe(before.dpop.thumbprint);
  },
);

it('nobody else gets one, though its authorization server could bind them', async () => {
  challenge = 'Bearer';
  const kept: { text?: string } = {};
  await call(program(kept));
  expect(new Set(schemes)).toEqual(new Set(['Bearer']));
  expect(kept.text).not.toContain('dpop');
});
