import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from './kit/authorization-server.ts';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';
import { stateless } from './kit/wire.ts';

const resource = 'https://tools.example.com/mcp';
const tools = join(root, 'test/mcp/kit/durable-tools.ts');
let login: AuthorizationServer;

beforeAll(async () => {
  login = await startAuthorizationServer();
});
afterAll(() => login.close());

async function serve(...flags: readonly string[]): Promise<Served> {
  const served = await serveHttp(
    [tools],
    '--oauth-issuer',
    login.issuer,
    '--oauth-resource',
    resource,
    ...flags,
  );
  onTestFinished(async () => void (await served.stop()));
  return served;
}

const planning = { name: 'plan', arguments: { to: 'LIS' } };
const as = (token: string) => ({ authorization: `Bearer ${token}` });

it('a server that was told so lets in who logs in, asks for more where a tool needs more, and nobody else in', async () => {
  const server = await serve('--oauth-scope', 'tools', '--oauth-tool-scope', 'plan=deploy');
  expect(server.token).toBeUndefined();
  const call = (headers = {}) => stateless(server.url, 'tools/call', planning, headers);
  const stranger = await call();
  expect(stranger.status).toBe(401);
  expect(stranger.headers.get('www-authenticate')).toContain('resource_metadata="https://tools.example.com/');
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url));
  expect(await metadata.json()).toMatchObject({ resource, authorization_servers: [login.issuer] });
  const less = await call(as(await login.token('ann', resource, 'tools')));
  expect(less.status).toBe(403);
  expect(less.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  expect(less.headers.get('www-authenticate')).toContain('scope="tools deploy"');
  const ann = await call(as(await login.token('ann', resource, 'tools deploy')));
  expect((await ann.next())?.message?.result.inputRequests).toHaveProperty('day');
  expect((await call(as(await login.token('ann', 'https://other.example.com/mcp', 'tools')))).status).toBe(
    401,
  );
});

it('a call of one who logged in is not there for another', async () => {
  const server = await serve();
  const call = (token: string, more = {}) =>
    stateless(server.url, 'tools/call', { ...planning, ...more }, as(token)).then((reply) => reply.next());
  const ann = await login.token('ann', resource, 'tools');
  const { requestState } = (await call(ann))?.message?.result ?? {};
  const answers = { requestState, inputResponses: { day: { action: 'accept', content: { day: 'monday' } } } };
  const bob = await call(await login.token('bob', resource, 'tools'), answers);
  expect(bob?.message?.error).toMatchObject({ code: -32602 });
  expect((await call(ann, answers))?.message?.result.inputRequests).toHaveProperty('seat');
});
