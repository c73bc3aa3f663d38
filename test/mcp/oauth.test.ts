import { decodeJwt, exportSPKI, generateKeyPair, importJWK } from 'jose';
import type { OAuthOptions } from 'parley-mcp/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from './kit/authorization-server.ts';
import { plain, plan } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { openSession, send, sessionAt, stateless } from './kit/wire.ts';

const resource = 'https://tools.example.com/mcp';
const metadata = 'https://tools.example.com/.well-known/oauth-protected-resource/mcp';
const token = 'static'.repeat(8);

let login: AuthorizationServer;
let server: InProcess;

beforeAll(async () => {
  login = await startAuthorizationServer();
});
beforeEach(async () => {
  server = await start();
});
afterEach(() => server.close());
afterAll(() => login.close());

function start(more: Partial<OAuthOptions> = {}): Promise<InProcess> {
  const oauth = {
    issuer: login.issuer,
    resource,
    scopes: ['tools'],
    toolScopes: { plan: ['deploy'] },
    ...more,
  };
  return startServer({ tools: [plan, plain] }, { oauth, tokens: [{ token, principal: { name: 'static' } }] });
}

const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
const list = (headers = {}) => stateless(server.url, 'tools/list', {}, headers);
const calling = (name: string) => ({ name, arguments: name === 'plan' ? { to: 'LIS' } : {} });
const granted = (client: 'ann' | 'bob', scope = 'tools', of = resource) => login.token(client, of, scope);

/** What a token of the authorization server says, to be changed. */
async function claims(): Promise<Record<string, unknown>> {
  return { ...decodeJwt(await granted('ann')) };
}

const without = (all: Record<string, unknown>, claim: string) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== claim));

describe('a server behind an authorization server', () => {
  it('says where to log in, to who has no token, and there', async () => {
    const refused = await list();
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${metadata}", scope="tools"`,
    );
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ]) {
      const response = await fetch(new URL(path, server.url));
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: [login.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['tools', 'deploy'],
      });
    }
  });

  it.each(['2025', '2026'])('lets in who has a token for it, and a token of its own (%s)', async (era) => {
    for (const given of [await granted('ann'), token]) {
      if (era === '2026') expect((await list(bearer(given))).status).toBe(200);
      else expect((await openSession(server.url, {}, bearer(given))).id).toBeTruthy();
    }
  });

  it('asks for more where a tool needs more, and for all at once', async () => {
    const narrow = await stateless(server.url, 'tools/call', calling('plan'), bearer(await granted('ann')));
    expect(narrow.status).toBe(403);
    expect(narrow.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${metadata}", scope="tools deploy"`,
    );
    const wide = bearer(await granted('ann', 'tools deploy'));
    const first = await stateless(server.url, 'tools/call', calling('plan'), wide);
    expect((await first.next())?.message?.result).toHaveProperty('requestState');
    const other = await stateless(server.url, 'tools/call', calling('plain'), bearer(await granted('ann')));
    expect(other.status).toBe(200);
    const none = await list(bearer(await granted('ann', 'deploy')));
    expect(none.status).toBe(403);
    expect(none.headers.get('www-authenticate')).toContain('scope="tools"');
  });

  it('asks for more in a session and in a batch, too', async () => {
    const session = await openSession(
      server.url,
      { elicitation: {} },
      bearer(await granted('ann')),
      '2025-03-26',
    );
    expect((await session.request(1, 'tools/call', calling('plan'))).status).toBe(403);
    const batch = [
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: calling('plan') },
    ];
    expect((await send(server.url, { headers: session.headers, body: batch })).status).toBe(403);
    // The same session with a token that has more.
    const wide = bearer(await granted('ann', 'tools deploy'));
    const stepped = sessionAt(server.url, { ...session, headers: { ...session.headers, ...wide } });
    const reply = await stepped.request(4, 'tools/call', calling('plan'));
    expect((await reply.until(({ method }) => method === 'elicitation/create')).params.message).toContain(
      'LIS',
    );
  });

  it('keeps subjects apart: the session of one is not there for another', async () => {
    const ann = await openSession(server.url, {}, bearer(await granted('ann')));
    const bob = { ...ann.headers, ...bearer(await granted('bob')) };
    expect((await sessionAt(server.url, { id: ann.id, headers: bob }).request(1, 'ping')).status).toBe(404);
    expect(
      (await sessionAt(server.url, { id: ann.id, headers: { ...bob, ...bearer(token) } }).request(1, 'ping'))
        .status,
    ).toBe(404);
    // Another token of the same subject is theirs.
    const again = { ...ann.headers, ...bearer(await granted('ann')) };
    expect((await sessionAt(server.url, { id: ann.id, headers: again }).request(1, 'ping')).status).toBe(200);
  });

  it('takes no more than a token that fits: the refusal tells nothing', async () => {
    const good = await claims();
    const now = Math.floor(Date.now() / 1000);
    const stranger = await generateKeyPair('ES256');
    const rsa = await generateKeyPair('RS256', { extractable: true });
    const [head = '', body = '', signature = ''] = (await granted('ann')).split('.');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { publicKey } = await publicKeyOf();
    const attacks: Record<string, string> = {
      'for another resource': await granted('ann', 'tools', 'https://other.example.com/mcp'),
      'for a resource that begins alike': await login.forged({ ...good, aud: `${resource}/more` }),
      expired: await login.forged({ ...good, exp: now - 60 }),
      'not yet good': await login.forged({ ...good, nbf: now + 600 }),
      'of another issuer': await login.forged({ ...good, iss: 'https://evil.example.com' }),
      'without an end': await login.forged(without(good, 'exp')),
      'of nobody': await login.forged(without(good, 'sub')),
      'of an empty subject': await login.forged({ ...good, sub: '' }),
      'of an endless subject': await login.forged({ ...good, sub: 'x'.repeat(300) }),
      'of half a character': await login.forged({ ...good, sub: 'ann \ud800' }),
      'of a login': await login.forged({ ...good, nonce: 'n' }, { typ: 'JWT' }),
      'of a log-out': await login.forged(good, { typ: 'logout+jwt' }),
      'without audience': await login.forged(without(good, 'aud')),
      'bound to a key of its client': await login.forged({ ...good, cnf: { jkt: 'x' } }),
      'of a strange key': await login.forged(good, {}, stranger.privateKey),
      'of a key that nobody has': await login.forged(good, { kid: 'two' }, stranger.privateKey),
      'of another algorithm': await login.forged(good, { alg: 'RS256' }, rsa.privateKey),
      'signed with the public key as a secret': await login.forged(
        good,
        { alg: 'HS256' },
        new TextEncoder().encode(publicKey),
      ),
      unsigned: `${part({ alg: 'none', kid: 'one' })}.${body}.`,
      'with a signature, but none': `${part({ alg: 'none', kid: 'one' })}.${body}.${signature}`,
      'that brings its key along': `${part({ alg: 'ES256', jku: 'https://evil.example.com/jwks' })}.${body}.${signature}`,
      changed: `${head}.${part({ ...good, sub: 'bob' })}.${signature}`,
      cut: `${head}.${body}`,
      nonsense: 'a.b.c',
      'not even that': '../../etc/passwd',
    };
    for (const [what, given] of Object.entries(attacks)) {
      const refused = await list(bearer(given));
      expect([what, refused.status, refused.headers.get('www-authenticate')]).toEqual([
        what,
        401,
        `Bearer error="invalid_token", resource_metadata="${metadata}", scope="tools"`,
      ]);
      expect((await refused.next())?.message?.error.message).toBe(
        'Unauthorized: log in at the authorization server of this resource',
      );
    }
    expect((await list(bearer(await login.forged(good)))).status).toBe(200);
  });

  it('takes tokens of another type and issuer as it is told, and says once why it took none', async () => {
    const good = await claims();
    const plainly = await login.forged(good, { typ: 'JWT' });
    for (let i = 0; i < 3; i += 1) expect((await list(bearer(plainly))).status).toBe(401);
    expect(server.problems).toEqual([expect.stringContaining("of the type 'JWT', not 'at+jwt'")]);
    await server.close();
    server = await start({ tokenType: 'JWT', issuer: `${login.issuer}/` });
    const scope = ['tools', 'deploy'];
    for (const given of [
      { ...good, scope },
      { ...good, scope: null, scp: scope, cnf: null },
    ]) {
      const called = bearer(await login.forged(given, { typ: 'application/jwt' }));
      expect((await list(called)).status).toBe(200);
    }
    expect((await list(bearer(await login.forged(good, { typ: 'logout+jwt' })))).status).toBe(401);
  });

  it('does not ask the authorization server for every token of a stranger', async () => {
    const stranger = await generateKeyPair('ES256');
    const good = await claims();
    const before = login.asked();
    for (let i = 0; i < 30; i += 1) {
      await list(bearer(await login.forged(good, { kid: `kid ${i}` }, stranger.privateKey)));
    }
    expect(login.asked() - before).toBeLessThanOrEqual(2);
  });

  it('says that it cannot tell while the authorization server is away, and goes on after', async () => {
    const away = await startAuthorizationServer();
    const given = await away.token('ann', resource, 'tools');
    await away.close();
    await server.close();
    server = await start({ issuer: away.issuer });
    const refused = await list(bearer(given));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await list(bearer(token))).status).toBe(200);
    expect(server.problems.join()).toContain('tokens cannot be checked');
    expect(server.problems.join()).not.toContain(given);
  });

  it.each<Partial<OAuthOptions>>([
    { issuer: 'http://login.example.com' },
    { resource: 'tools' },
    { resource: 'https://user:secret@tools.example.com/mcp' },
    { scopes: ['two words'] },
    { toolScopes: { plan: ['quo"te'] } },
  ])('cannot be made with %j', async (wrong) => {
    await expect(start(wrong)).rejects.toThrow(TypeError);
  });

  async function publicKeyOf() {
    const response = await fetch(`${login.issuer}/jwks`);
    const { keys } = (await response.json()) as { keys: [Parameters<typeof importJWK>[0]] };
    const key = await importJWK({ ...keys[0], ext: true }, 'ES256', { extractable: true });
    return { publicKey: key instanceof Uint8Array ? '' : await exportSPKI(key) };
  }
});
