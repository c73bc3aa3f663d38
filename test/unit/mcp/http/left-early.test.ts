import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { expect, it } from 'vitest';
import { createEndpoint, type EraHandlers } from '#src/mcp/http/handler.ts';
import { HTTP_LIMITS } from '#src/mcp/http/limits.ts';
import { listening } from '#test/listening.ts';

it.each([
  ['2025', { 'mcp-session-id': 's' }],
  ['2026', { 'mcp-protocol-version': '2026-07-28' }],
])('a call of %s whose client has gone before the server has started is not served', async (_, headers) => {
  const served: string[] = [];
  const loading = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<EraHandlers>();
  const load = () => {
    loading.resolve();
    return loaded.promise;
  };
  const endpoint = createEndpoint({
    guard: { tokens: () => [], anonymous: { name: 'anyone' } as never },
    limits: HTTP_LIMITS,
    start: load,
    report: () => {},
  });
  const server = createServer((req, res) => {
    res.once('close', () => server.emit('left'));
    endpoint(req, res);
  });
  const port = await listening(server);
  const post = (id: number) => {
    const asked = request({
      port,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    asked.on('error', () => {});
    asked.end(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo' } }));
    return asked;
  };
  const left = once(server, 'left');
  const gone = post(1);
  await loading.promise;
  gone.destroy();
  await left;
  const handler: EraHandlers['2025'] = {
    handle(_req, res, _caller, body) {
      served.push(JSON.stringify((body as { id: number }).id));
      res.end();
    },
    dismiss: () => {},
    close: () => {},
  };
  loaded.resolve({ '2025': handler, '2026': handler });
  await once(post(2), 'response');
  expect(served).toEqual(['2']);
});
