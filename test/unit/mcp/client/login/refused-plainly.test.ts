import { expect, it } from 'vitest';
import { refusedPlainly } from '#src/mcp/client/login/refused-plainly.ts';

const never = new AbortController().signal;
const json = (body: object, status: number) => new Response(JSON.stringify(body), { status });

const refused = async (answer: (sent: string) => Response) => {
  const body = new URLSearchParams({ client_assertion: 'signed', scope: 'tools' });
  const headers = { authorization: `Basic ${btoa('me:hush')}` };
  const fetch = refusedPlainly(async () => answer(`signed hush ${btoa('me:hush')}`), never);
  const error: unknown = await fetch('https://login.example.com/token', {
    method: 'POST',
    body,
    headers,
  }).catch((thrown: unknown) => thrown);
  return (error as Error).message;
};

it.each([
  ['in a refusal', (sent: string) => json({ error: 'invalid_client', error_description: `no ${sent}` }, 401)],
  ['where it should be a code', (sent: string) => json({ error: sent }, 400)],
  ['with a status that says that all is well', (sent: string) => json({ error: sent }, 200)],
  ['in no JSON', (sent: string) => new Response(`<html>${sent}`, { status: 500 })],
  ['in no JSON that should be a token', (sent: string) => new Response(sent)],
])('credentials that an authorization server says again are not told: %s', async (_where, answer) => {
  const said = await refused(answer);
  expect(said).toMatch(/^the login at login\.example\.com was refused: /);
  expect(said).not.toMatch(/signed|hush|bWU6/);
});

it('a long refusal is cut, and is one line', async () => {
  const said = await refused(() => json({ error: 'no', error_description: `a\n${'b'.repeat(5_000)}` }, 400));
  expect(said.length).toBeLessThan(400);
  expect(said).not.toContain('\n');
});

it('what is no login, and what is moved, is answered as it is', async () => {
  const fetch = refusedPlainly(async () => new Response('moved', { status: 307 }), never);
  expect((await fetch('https://login.example.com/token', { method: 'POST' })).status).toBe(307);
  const missing = refusedPlainly(async () => new Response('', { status: 404 }), never);
  expect((await missing('https://login.example.com/.well-known/x')).status).toBe(404);
});
