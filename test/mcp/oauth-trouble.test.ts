import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plain } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { stateless } from './kit/wire.ts';

const resource = 'https://tools.example.com/mcp';
const METADATA = '/.well-known/oauth-authorization-server';
const token = 'static'.repeat(8);

type Answer = (res: ServerResponse) => void;

const json =
  (value: unknown): Answer =>
  (res) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** An authorization server in trouble: what it answers where, and what it was asked for. */
interface Troubled {
  readonly issuer: string;
  readonly answers: Map<string, Answer>;
  readonly asked: string[];
  /** Bytes of answers without an end that somebody has taken. */
  taken: number;
  token(payload?: JWTPayload, kid?: string): Promise<string>;
  close(): Promise<void>;
}

async function startTroubled(): Promise<Troubled> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const asked: string[] = [];
  const answers = new Map<string, Answer>();
  const http = createServer((req, res) => {
    const path = String(req.url);
    asked.push(path);
    const answer = answers.get(path);
    if (answer) answer(res);
    else res.writeHead(404).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  answers.set(METADATA, json({ issuer, jwks_uri: `${issuer}/jwks` }));
  answers.set('/jwks', json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }));
  return {
    issuer,
    answers,
    asked,
    taken: 0,
    token: (payload = {}, kid = 'one') =>
      new SignJWT({ sub: 'ann', ...payload })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(resource)
        .setExpirationTime('10m')
        .sign(privateKey),
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

let login: Troubled;
let server: InProcess;

beforeEach(async () => {
  login = await startTroubled();
  server = await startServer(
    { tools: [plain] },
    { oauth: { issuer: login.issuer, resource }, tokens: [{ token, principal: { name: 'static' } }] },
  );
});
afterEach(() => login.close());

const list = async (given: string) =>
  (await stateless(server.url, 'tools/list', {}, { authorization: `Bearer ${given}` })).status;

/** Sends for as long as somebody reads. */
const endless: Answer = (res) => {
  res.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (res.write(chunk)) login.taken += chunk.length;
    login.taken += chunk.length;
  };
  res.on('drain', more);
  more();
};
const silent: Answer = () => {};
const broken: Answer = (res) => void res.writeHead(500).end();

describe('an authorization server in trouble', () => {
  it.each([METADATA, '/jwks'])(
    'that is broken at %s is not asked for each token of a stranger',
    async (at) => {
      login.answers.set(at, broken);
      for (let i = 0; i < 20; i += 1) expect(await list(await login.token({}, `kid ${i}`))).toBe(503);
      expect(login.asked.filter((path) => path === at).length).toBeLessThanOrEqual(2);
      expect(await list(token)).toBe(200);
    },
  );

  it.each([METADATA, '/jwks'])('that never ends at %s fills nobody’s memory', async (at) => {
    login.answers.set(at, endless);
    expect(await list(await login.token())).toBe(503);
    expect(login.taken).toBeLessThan(8 * 2 ** 20);
  });

  it('that never answers keeps who asks waiting for a while, and nobody else', async () => {
    login.answers.set('/jwks', silent);
    const asked = list(await login.token());
    await vi.waitFor(() => expect(login.asked).toContain('/jwks'));
    expect(await list(token)).toBe(200);
    expect(await asked).toBe(503);
  });

  it('that sends on from its keys is not followed', async () => {
    login.answers.set('/jwks', (res) => void res.writeHead(302, { location: `${login.issuer}/inner` }).end());
    expect(await list(await login.token())).toBe(503);
    expect(login.asked).not.toContain('/inner');
  });

  it('keeps nobody out whose key is known, and takes none for good whose key is not', async () => {
    const good = await login.token();
    expect(await list(good)).toBe(200);
    login.answers.set('/jwks', broken);
    for (let i = 0; i < 20; i += 1) expect(await list(await login.token({}, `kid ${i}`))).not.toBe(200);
    expect(login.asked.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(2);
    expect(await list(good)).toBe(200);
  });

  it('that moves its keys is found there, without a new start', async () => {
    const keys = login.answers.get('/jwks');
    login.answers.set('/jwks', broken);
    expect(await list(await login.token())).toBe(503);
    login.answers.set(METADATA, json({ issuer: login.issuer, jwks_uri: `${login.issuer}/moved` }));
    if (keys) login.answers.set('/moved', keys);
    await vi.waitFor(async () => expect(await list(await login.token())).toBe(200), 10_000);
  });

  it.each<JWTPayload>([
    { scp: [{ toString: 1 }] },
    { scope: { toString: 1 } },
    { scp: [null, 1, ['a'], '__proto__'] },
    { sub: '__proto__' },
    { sub: 'constructor', scope: '__proto__ constructor' },
    { sub: 'a\u0000b\u001b[2J' },
  ])('whose tokens say %j takes nobody else in, and is no trouble of its own', async (payload) => {
    expect([200, 401]).toContain(await list(await login.token(payload)));
  });
});
