import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { ZodObject } from 'zod';
import { type AnyTool, isTool } from '#src/core/index.ts';
import { inline } from '#src/inline/index.ts';
import * as asking from '../asking-tools.ts';
import * as inputRequired from '../input-required-tools.ts';
import * as plain from '../plain-tools.ts';
import * as reporting from '../reporting-tools.ts';
import type { Scenario } from './read-summary.ts';
import { runSuite } from './suite.ts';

/** Servers of other people whose handlers are tools of Parley, and what the suite has about tools for their revision. */
const servers = {
  '2026-07-28': {
    listener: ofSdk2,
    scenarios: [
      ...[
        'basic-elicitation',
        'basic-sampling',
        'basic-list-roots',
        'capability-check',
        'ignore-extra-params',
      ],
      ...['missing-input-response', 'multi-round', 'multiple-input-requests', 'request-state', 'result-type'],
      // Others are about prompts, and those are the server's.
      ...['tampered-state', 'unsupported-methods', 'validate-input'],
    ].map((name) => `input-required-result-${name}`),
  },
  '2025-11-25': {
    listener: ofSdk1,
    scenarios: [
      ...['tools-call-with-logging', 'tools-call-sampling', 'tools-call-elicitation'],
      ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ],
  },
} as const;
const OF_BOTH = [
  'simple-text',
  'image',
  'audio',
  'embedded-resource',
  'mixed-content',
  'error',
  'with-progress',
];

/** The revisions that have a server here. */
export const inlineRevisions = Object.keys(servers) as readonly (keyof typeof servers)[];

/** Runs the scenarios about tools against a server of an official SDK. */
export async function runInlineSuite(
  revision: keyof typeof servers,
  output: string,
): Promise<readonly Scenario[]> {
  const { listener, scenarios } = servers[revision];
  const http = createServer(listener(inline()));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo;
  try {
    // All of them in one run: a process for each takes longer than what it tests.
    const url = `http://127.0.0.1:${port}/mcp`;
    const ran = await runSuite(url, ['--suite', 'all', '--spec-version', revision], output);
    return [...scenarios, ...OF_BOTH.map((one) => `tools-call-${one}`)].map((name) => {
      const { passed, failed } = ran.find((one) => one.name === name) ?? { passed: 0, failed: 0 };
      return { name, passed, failed, scored: true };
    });
  } finally {
    http.close();
    http.closeAllConnections();
  }
}

function toolsIn(...modules: readonly object[]): readonly AnyTool[] {
  return modules.flatMap((module) => Object.values(module)).filter(isTool);
}

function ofSdk2(straight: ReturnType<typeof inline>): RequestListener {
  const made = () => {
    const requestState = { verify: straight.verify() };
    const server = new McpServer({ name: 'theirs', version: '1' }, { requestState });
    for (const tool of toolsIn(inputRequired, plain, reporting)) {
      server.registerTool(tool.name, described(tool), straight(tool));
    }
    return server;
  };
  const handle = toNodeHandler(createMcpHandler(made));
  // The SDK's types and Node's disagree about fields that may be undefined.
  return (req, res) => void handle(req as Parameters<typeof handle>[0], res);
}

function described({ def }: AnyTool) {
  // Each of these tools is written with zod.
  return { description: def.description, inputSchema: def.parameters.schema as ZodObject };
}

/** With sessions: what it asks goes to the stream of the request. */
function ofSdk1(straight: ReturnType<typeof inline>): RequestListener {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (req, res) => {
    const known = sessions.get(String(req.headers['mcp-session-id']));
    if (known) return void (await known.handleRequest(req, res));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer1({ name: 'theirs', version: '1' }, { capabilities: { logging: {} } });
    for (const tool of toolsIn(asking, plain, reporting)) {
      server.registerTool(tool.name, described(tool), straight(tool));
    }
    await server.connect(transport);
    await transport.handleRequest(req, res);
  };
}
