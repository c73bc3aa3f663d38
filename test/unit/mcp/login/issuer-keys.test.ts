import { createServer } from 'node:http';
import { errors, exportJWK, generateKeyPair } from 'jose';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createIssuerKeys } from '#src/mcp/login/issuer-keys.ts';
import { listening } from '#test/listening.ts';

const MINUTE = 60_000;

/** An authorization server whose keys are `kids`; `undefined`: it hangs up. */
async function useIssuer() {
  const { publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' };
  const server = { issuer: '', kids: ['one'] as readonly string[] | undefined, asked: 0 };
  const http = createServer((req, res) => {
    const { kids, issuer } = server;
    server.asked += 1;
    if (!kids) return void req.socket.destroy();
    const keys = { keys: kids.map((kid) => ({ ...jwk, kid })) };
    res.end(JSON.stringify(req.url === '/jwks' ? keys : { issuer, jwks_uri: `${issuer}/jwks` }));
  });
  server.issuer = `http://127.0.0.1:${await listening(http)}`;
  return server;
}

/** Gives a token's key, with the clock `minutes` later than before. */
function later(keysOf: ReturnType<typeof createIssuerKeys>) {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return async (minutes: number, kid: string) => {
    vi.advanceTimersByTime(minutes * MINUTE);
    return await (await keysOf())({ alg: 'ES256', kid }, { payload: '', signature: '' });
  };
}

it('keeps known keys for a day while they cannot be fetched again, and no longer', async () => {
  const server = await useIssuer();
  const key = later(createIssuerKeys(server.issuer));
  await key(0, 'one');
  server.kids = undefined;
  for (const minutes of [11, 11, 12 * 60, 11 * 60]) await expect(key(minutes, 'one')).resolves.toBeDefined();
  await expect(key(60, 'one')).rejects.toThrow('cannot be found');
  server.kids = ['one'];
  await expect(key(1, 'one')).resolves.toBeDefined();
});

it('asks for a key that is not known, says that it could not, and has it once it can', async () => {
  const server = await useIssuer();
  const key = later(createIssuerKeys(server.issuer));
  await key(0, 'one');
  server.kids = undefined;
  await expect(key(1, 'two')).rejects.toThrow('fetch failed');
  server.kids = ['one', 'two'];
  await expect(key(1, 'two')).resolves.toBeDefined();
  await expect(key(1, 'three')).rejects.toThrow(errors.JWKSNoMatchingKey);
});

it('drops a key that its issuer has dropped, within ten minutes', async () => {
  const server = await useIssuer();
  const key = later(createIssuerKeys(server.issuer));
  await key(0, 'one');
  server.kids = ['two'];
  await expect(key(11, 'one')).rejects.toThrow(errors.JWKSNoMatchingKey);
});
