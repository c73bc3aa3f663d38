import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { type Operation, run } from 'effection';
import { assert, expect, it } from 'vitest';
import { foreignTool, type ServerEntry, useMcpConnection } from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { startServer } from '../bench/mcp-wire.ts';
import { nodeServer, textOf, withServer } from './kit/foreign.ts';

const program = join(import.meta.dirname, '..', 'bench', 'mcp-server.ts');

const kinds = [
  ['raw-v1', 'http', '2025', true],
  ['raw-v1', 'stdio', '2025', true],
  ['raw-v2', 'http', '2026', true],
  ['fastmcp', 'http', '2025', false],
  ['fastmcp', 'stdio', '2025', false],
] as const;

/** Runs the test with a server that somebody else's library made, in a process of its own. */
async function withKind(
  kind: string,
  transport: 'http' | 'stdio',
  test: (entry: ServerEntry) => Promise<void>,
): Promise<void> {
  if (transport === 'stdio') return await test(nodeServer('other', program, kind, transport));
  const server = await startServer(kind, transport);
  try {
    // The second is this machine, too, but does not say so: it is reached with `fetch`, as the network is.
    for (const host of ['127.0.0.1', '0.0.0.0'])
      await test({ kind: 'http', name: 'other', url: `http://${host}:${server.port}/mcp`, headers: {} });
  } finally {
    server.stop();
  }
}

it.each(kinds)(
  'tools of a server made with %s over %s are found in its era, called, and ask',
  (kind, transport, era, asks) =>
    withKind(kind, transport, (entry) =>
      withServer(entry, function* ({ connection, call }) {
        expect(connection.state()).toEqual({ kind: 'ready', era });
        expect(textOf(yield* call('echo', { text: 'hi' }))).toBe('hi');
        if (!asks) return;
        const client = createMockMcpClient({
          elicitResponses: [{ action: 'accept', content: { colour: 'blue' } }],
        });
        expect(textOf(yield* call('ask', { text: 'Which colour?' }, client))).toBe('blue');
        expect(client.transcript).toContainEqual(
          expect.objectContaining({
            type: 'elicit',
            request: expect.objectContaining({ message: 'Which colour?' }),
          }),
        );
      }),
    ),
);

it('a server of 2026-07-28 that does not know what it declares is used for what it has', async () => {
  const inputSchema = { type: 'object' as const, properties: {} };
  const make = () => {
    const made = new Server({ name: 'other', version: '1' }, { capabilities: { tools: {}, prompts: {} } });
    const tools = [{ name: 'echo', inputSchema }];
    made.setRequestHandler('tools/list', () => ({ tools, ttlMs: 0, cacheScope: 'private' }));
    made.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'hi' }] }));
    return made;
  };
  const handle = toNodeHandler(createMcpHandler(make, { legacy: 'reject' }));
  const http = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res));
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  await withServer(
    { kind: 'http', name: 'other', url, headers: {} },
    function* ({ connection, said, call }): Operation<void> {
      expect(connection.state()).toEqual({ kind: 'ready', era: '2026' });
      expect(said.join('\n')).toContain('its prompts could not be read');
      expect(textOf(yield* call('echo'))).toBe('hi');
    },
  );
  http.closeAllConnections();
  await new Promise((closed) => http.close(closed));
});

it.each(kinds)(
  'each message of a server made with %s over %s can be heard as it goes over the wire',
  (kind, transport, era) =>
    withKind(kind, transport, async (entry) => {
      const heard: string[] = [];
      await run(function* () {
        const connection = yield* useMcpConnection(entry, {
          onMessage: (direction, message) => heard.push(`${direction} ${JSON.stringify(message)}`),
        });
        yield* connection.client();
        const echo = connection.offers().tools.find(({ name }) => name === 'echo');
        assert(echo);
        yield* runMcpTool(foreignTool(connection, echo), { text: 'heard?' }, createMockMcpClient());
      });
      const first = era === '2025' ? '"method":"initialize"' : '"method":"server/discover"';
      expect(heard).toContainEqual(expect.stringMatching(new RegExp(`^sent .*${first}`)));
      expect(heard).toContainEqual(expect.stringMatching(/^sent .*"method":"tools\/call".*heard\?/));
      expect(heard).toContainEqual(expect.stringMatching(/^received .*"result":.*heard\?/));
    }),
);
