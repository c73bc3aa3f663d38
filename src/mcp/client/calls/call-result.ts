import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { HaltableRequest } from './watch-task.ts';

type ResultSchema = typeof import('@modelcontextprotocol/client')['specTypeSchemas']['CallToolResult'];

let schema: ResultSchema | undefined;

/**
 * Calls a tool of a server. Before 2026-07-28 with a schema that is given: by itself the SDK also checks a result that is none, to find
 * out whether it has one, and that is a third of what such a call costs it. In 2026-07-28 it has headers to add, and does.
 *
 * @throws what the SDK throws for a result that is none
 */
export async function resultOfCall(
  client: Client,
  params: Parameters<Client['callTool']>[0],
  options: HaltableRequest,
): Promise<CallToolResult> {
  if (client.getProtocolEra() === 'modern') return await client.callTool(params, options);
  schema ??= (await import('@modelcontextprotocol/client')).specTypeSchemas.CallToolResult;
  return await client.request({ method: 'tools/call', params }, schema, options);
}
