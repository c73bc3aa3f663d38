import type { Operation } from 'effection';
import { run } from 'effection';
import type { AnyTool } from '#src/core/index.ts';
import {
  foreignTool,
  type ServerConnection,
  type ServerEntry,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';

/** A server that is started with Node. */
export function nodeServer(name: string, ...args: readonly string[]): ServerEntry {
  return { kind: 'stdio', name, command: process.execPath, args, env: {} };
}

/** A connection under test. */
export interface Connected {
  readonly connection: ServerConnection;
  /** What the server said beside its answers. */
  readonly said: readonly string[];
  /** Its tool, as a tool of ours. */
  tool(name: string): AnyTool;
  /** Runs its tool with a client that answers. */
  call(
    name: string,
    params?: Readonly<Record<string, unknown>>,
    client?: ReturnType<typeof createMockMcpClient>,
  ): Operation<unknown>;
}

/** Connects to a server, runs the body, and closes the connection. */
export async function withServer<T>(
  entry: ServerEntry,
  body: (connected: Connected) => Operation<T>,
  era?: '2025' | '2026',
): Promise<T> {
  return await run(function* () {
    const said: string[] = [];
    const connection = yield* useMcpConnection(entry, {
      onLog: ({ message }) => said.push(message),
      ...(era ? { era } : {}),
    });
    yield* connection.client();
    const tool = (name: string) => {
      const found = connection.offers().tools.find((one) => one.name === name);
      if (!found) throw new Error(`there is no '${name}'`);
      return foreignTool(connection, found);
    };
    return yield* body({
      connection,
      said,
      tool,
      call: (name, params = {}, client = createMockMcpClient()) => runMcpTool(tool(name), params, client),
    });
  });
}

/** All text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { readonly type: string; readonly text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}
