import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { suspend } from 'effection';
import { FastMCP } from 'fastmcp';
import * as z from 'zod';
import { inline } from '#src/inline/index.ts';
import { createSqliteStore } from '#src/stores/index.ts';

// Somebody else's server, with handlers of ours: how it is reached, the folder of its book, the file that says what its handlers did,
// and which version of their code it has.

const [kind = '', folder = '', log = '', code = ''] = process.argv.slice(2);
const book = folder === '' ? undefined : createSqliteStore({ folder, keys: [new Uint8Array(32).fill(7)] });
const straight = inline(book ? { book } : {});
const did = (what: string) => appendFileSync(log, `${what}\n`);

const branch = z.object({ branch: z.string() });
const ok = z.object({ ok: z.boolean() });
const deploy = straight(function* deploy(args: { branch: string }, ctx) {
  const { version } = yield* ctx.elicit.strict({
    message: code === 'asks otherwise' ? 'Which version?' : `Version of ${args.branch}?`,
    schema: z.object({ version: z.string().regex(/^\d+\.\d+$/, 'a version is like 1.2') }),
  });
  if (log !== '')
    yield* ctx.step('tag', function* ({ id, attempt }) {
      did(`tag ${version}${attempt > 1 ? ` (attempt ${attempt})` : ''}`);
      if (code === 'hangs in its step') yield* suspend();
      return id;
    });
  const said = yield* ctx.elicit.strict({ message: `Announce ${version}?`, schema: ok });
  return `${args.branch} ${version} ${said.ok}${code === 'ends otherwise' ? '!' : ''}`;
});

const made = () => {
  const server = new McpServer({ name: 'theirs', version: '1' });
  server.registerTool('deploy', { inputSchema: branch }, deploy);
  return server;
};
const ready = (port: number) =>
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);

if (kind === 'stdio') await serveStdio(made);
else if (kind === 'fastmcp') {
  const server = new FastMCP({ name: 'theirs', version: '1.0.0' });
  server.addTool({ name: 'deploy', description: 'Deploys', parameters: branch, execute: deploy });
  const probe = createServer().listen(0, '127.0.0.1', async () => {
    const { port } = probe.address() as AddressInfo;
    await new Promise((closed) => probe.close(closed));
    console.log = console.info = () => {};
    await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
    ready(port);
  });
} else {
  const handle = toNodeHandler(createMcpHandler(made, { legacy: 'stateless' }));
  // The SDK's types and Node's disagree about fields that may be undefined.
  const http = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res));
  http.listen(0, '127.0.0.1', () => ready((http.address() as AddressInfo).port));
}
