import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type JsonRpcResponse,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { ship, work } from './kit/task-tools.ts';
import { TASKS } from './kit/tasks.ts';
import { send } from './kit/wire.ts';

let server: InProcess;
let folder: string;
let log: string;

beforeEach(async () => {
  folder = tempFolder();
  log = join(folder, 'log');
  server = await startServer({ tools: [ship, work], tasks: { pollInterval: 50 } });
});
afterEach(async () => {
  await server.close();
});

const clientInfo = { name: 'requester', version: '1.0.0' };

let requests = 0;

/** Sends a request, for the client's own connection. */
async function rawDispatch(request: JsonValue): Promise<JsonRpcResponse> {
  const { method, params } = request as { method: string; params: Record<string, unknown> };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': String(params.name ?? params.taskId),
  };
  const body = { jsonrpc: '2.0', id: ++requests, method, params };
  const reply = await send(server.url, { headers, body });
  const { result, error } = await reply.until((message) => 'result' in message || 'error' in message);
  return error ? { kind: 'error', error } : { kind: 'result', result };
}

describe.each(['2025-11-25', '2026-07-28'])('the requester of the MCP project, in %s', (protocolVersion) => {
  const modern = protocolVersion === '2026-07-28';

  it('calls a tool, answers what its task asks, and gets the result', async () => {
    const client = new Client(clientInfo, {
      capabilities: modern ? TASKS : { elicitation: { form: {} } },
      versionNegotiation: { mode: modern ? 'auto' : 'legacy' },
    });
    await client.connect(new StreamableHTTPClientTransport(server.url));
    const v2RequestFraming = { protocolVersion, clientInfo, clientCapabilities: TASKS };
    const asked: unknown[] = [];
    const session = createTaskSessionFromClient(client, {
      endpointId: 'test',
      tools: {
        currentTool: (name) => ({ name, inputSchema: { type: 'object' }, taskSupport: 'optional' }),
      },
      onInputRequest: async (request) => {
        asked.push(request.params);
        return { action: 'accept', content: { row: 7 } } as never;
      },
      ...(modern ? { rawDispatch, v2RequestFraming } : {}),
    });
    try {
      const execution = await session.callTool('ship', { log });
      const { outcome } = await execution.settle();
      expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'shipped to 7' }] });
      expect(asked).toMatchObject([{ message: 'Which row?' }]);
      expect((await readFile(log, 'utf8')).trim().split('\n')).toHaveLength(2);
    } finally {
      await session.close();
      await client.close();
    }
  });
});
