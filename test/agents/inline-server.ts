import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { inline } from '#src/inline/index.ts';

// A server of an official SDK, with a handler of Parley: what `ask_kind` asks for texts. `v1` or `v2`.
const straight = inline();
const handler = straight(function* ask_kind({ kind }: { kind: string }, ctx) {
  const said = yield* ctx.elicit({ message: `What ${kind}?`, schema: z.object({ value: z.string() }) });
  return said.action === 'accept' ? { accept: said.content } : { [said.action]: true };
});
const facts = {
  description: 'Asks the user a text.',
  inputSchema: z.object({ kind: z.string() }),
  // Codex asks before others.
  annotations: { readOnlyHint: true, openWorldHint: false },
};
if (process.argv[2] === 'v1') {
  const server = new McpServer1({ name: 'theirs', version: '1' });
  server.registerTool('ask_kind', facts, handler);
  await server.connect(new StdioServerTransport());
} else {
  await serveStdio(() => {
    const server = new McpServer(
      { name: 'theirs', version: '1' },
      { requestState: { verify: straight.verify() } },
    );
    server.registerTool('ask_kind', facts, handler);
    return server;
  });
}
