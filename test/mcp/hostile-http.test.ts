import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { withServer } from './kit/foreign.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** A server of 2025-11-25 over HTTP that offers one tool with a schema of so many levels, and answers its calls at length. */
async function startHostile(levels: number, host = '127.0.0.1') {
  const answer = (response: ServerResponse, id: unknown, result: string) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  const schema = `{"type":"object","properties":{"a":${deep(levels)}}}`;
  const results: Readonly<Record<string, () => string>> = {
    initialize: () =>
      '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}',
    'tools/list': () =>
      `{"tools":[{"name":"deep","inputSchema":${schema}},{"name":"huge","inputSchema":{"type":"object"}}]}`,
    'tools/call': () => `{"content":[{"type":"text","text":"${'x'.repeat(100 * 1024 ** 2)}"}]}`,
  };
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request)) as { id?: unknown; method: string };
    const result = results[method];
    if (result) return answer(response, id, result());
    return response.writeHead(id === undefined ? 202 : 404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    entry: { kind: 'http', name: 'http', url: `http://${host}:${port}/mcp`, headers: {} } as const,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it('a server over HTTP whose list is 10,000 levels deep is used without it', async () => {
  const server = await startHostile(10_000);
  try {
    await withServer(server.entry, function* ({ connection, said }) {
      expect(connection.offers().tools).toEqual([]);
      expect(said.join('\n')).toContain('its tools could not be read: the answer is nested deeper than 100');
    });
  } finally {
    server.close();
  }
});

// The second is this machine, too, but does not say so: it is reached with `fetch`, as the network is.
it.each(['127.0.0.1', '0.0.0.0'])(
  'a server over HTTP that answers with 100 MB fails that call with a clear word: %s',
  async (host) => {
    const server = await startHostile(1, host);
    try {
      await withServer(server.entry, function* ({ call }) {
        let failed: unknown;
        try {
          yield* call('huge');
        } catch (error) {
          failed = error;
        }
        expect(String(failed)).toContain('a message of more than 16 MB');
      });
    } finally {
      server.close();
    }
  },
);
