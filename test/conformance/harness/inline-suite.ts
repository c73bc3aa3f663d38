import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isTool } from '#src/core/index.ts';
import { inline } from '#src/inline/index.ts';
import * as tools from '../input-required-tools.ts';
import { readCounts, run } from './client-suite.ts';
import type { Scenario } from './read-summary.ts';

/** Those that are about questions of tools; the others are about prompts, and those are the server's. */
const SCENARIOS = [
  ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'capability-check', 'ignore-extra-params'],
  ...['missing-input-response', 'multi-round', 'multiple-input-requests', 'request-state', 'result-type'],
  ...['tampered-state', 'unsupported-methods', 'validate-input'],
].map((name) => `input-required-result-${name}`);

/** Runs the scenarios about questions against a server of SDK v2, whose handlers are tools of Parley. */
export async function runInlineSuite(output: string): Promise<readonly Scenario[]> {
  const straight = inline();
  const handle = toNodeHandler(createMcpHandler(() => theirServer(straight)));
  // The SDK's types and Node's disagree about fields that may be undefined.
  const http = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo;
  const done: Scenario[] = [];
  try {
    for (const name of SCENARIOS) {
      const url = `http://127.0.0.1:${port}/mcp`;
      const how = ['--scenario', name, '--spec-version', '2026-07-28', '--force', '--timeout', '60000'];
      const said = await run(['server', '--url', url, ...how, '-o', output], output);
      done.push({ name, ...readCounts(said), scored: true });
    }
  } finally {
    http.close();
    http.closeAllConnections();
  }
  return done;
}

function theirServer(straight: ReturnType<typeof inline>): McpServer {
  const requestState = { verify: straight.verify() };
  const server = new McpServer({ name: 'theirs', version: '1' }, { requestState });
  for (const tool of Object.values(tools).filter(isTool)) {
    const { description } = tool.def;
    server.registerTool(tool.name, { description, inputSchema: z.object({}) }, straight(tool));
  }
  return server;
}
