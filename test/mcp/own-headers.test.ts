import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { run } from 'effection';
import { expect, it } from 'vitest';
import { useMcpConnection } from '#src/mcp/client/index.ts';
import { createLogin } from './kit/at-once-login.ts';

interface Seen {
  readonly at: string;
  readonly headers: IncomingHttpHeaders;
}

/** An HTTP server that remembers what was sent to it. */
async function startRecording(answer: (req: IncomingMessage, res: ServerResponse, body: string) => void) {
  const seen: Seen[] = [];
  const server = createServer(async (req, res) => {
    seen.push({ at: `${req.method} ${req.url?.split('?', 1)[0]}`, headers: req.headers });
    answer(req, res, await text(req));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const json = (res: ServerResponse, value: object, status = 200) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A server of 2025-11-25 at `/moved`, where `/mcp` sends on to; it lets in who has the token of the login. */
function serve(req: IncomingMessage, res: ServerResponse, body: string, self: string, login: string): void {
  if (req.url?.startsWith('/.well-known/oauth-protected-resource')) {
    json(res, { resource: `${self}/mcp`, authorization_servers: [login] });
  } else if (req.url === '/mcp') {
    res.writeHead(307, { location: '/moved' }).end();
  } else if (req.url !== '/moved') {
    res.writeHead(404).end();
  } else if (req.headers.authorization !== 'Bearer token') {
    res
      .writeHead(401, {
        'www-authenticate': `Bearer resource_metadata="${self}/.well-known/oauth-protected-resource"`,
      })
      .end();
  } else if (req.method !== 'POST') {
    res.writeHead(405).end();
  } else {
    const { id, method } = JSON.parse(body);
    const info = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    if (id === undefined) res.writeHead(202).end();
    else if (method === 'initialize') json(res, { jsonrpc: '2.0', id, result: info });
    else json(res, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  }
}

function logIn(req: IncomingMessage, res: ServerResponse, self: string): void {
  const url = new URL(String(req.url), self);
  if (url.pathname.startsWith('/.well-known/')) {
    json(res, {
      issuer: self,
      authorization_endpoint: `${self}/authorize`,
      token_endpoint: `${self}/token`,
      registration_endpoint: `${self}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  } else if (url.pathname === '/register') {
    json(res, { client_id: 'parley', redirect_uris: ['http://localhost:3000/callback'] }, 201);
  } else if (url.pathname === '/authorize') {
    const back = new URL('http://localhost:3000/callback');
    back.searchParams.set('code', 'code');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    res.writeHead(302, { location: back.href }).end();
  } else json(res, { access_token: 'token', token_type: 'Bearer', expires_in: 600 });
}

it('what a person wrote for a server is sent to that server and to nobody who logs in for it', async () => {
  const login = await startRecording((req, res) => logIn(req, res, login.url));
  const server = await startRecording((req, res, body) => serve(req, res, body, server.url, login.url));
  try {
    await run(function* () {
      const headers = { 'x-api-key': 'secret', 'x-team': 'blue' };
      const entry = { kind: 'http', name: 'http', url: `${server.url}/mcp`, headers } as const;
      const connection = yield* useMcpConnection(entry, { login: createLogin() });
      yield* connection.client();
    });
    const own = server.seen.filter(({ at }) => !at.includes('.well-known'));
    expect(own.map(({ at }) => at)).toContain('POST /moved');
    for (const { headers } of own) expect(headers).toMatchObject({ 'x-api-key': 'secret', 'x-team': 'blue' });
    expect(login.seen.map(({ at }) => at)).toEqual(expect.arrayContaining(['POST /register', 'POST /token']));
    const others = [...login.seen, ...server.seen.filter((one) => !own.includes(one))];
    for (const { headers } of others) expect(JSON.stringify(headers)).not.toMatch(/secret|blue/);
  } finally {
    await server.close();
    await login.close();
  }
});
