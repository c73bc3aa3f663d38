import type { RequestListener } from 'node:http';
import type { AnyTool } from 'parley-mcp';
import { createMcpServer } from 'parley-mcp/server';
import { vi } from 'vitest';
import type { ServerConnection } from '#src/mcp/client/index.ts';
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts';
import { hello } from './hello.ts';
import { listening } from './vouching.ts';

/** A server of ours behind a login. What it does with a request may be replaced. */
export interface GuardedServer {
  /** Where people log in at it. */
  readonly authorization: AuthorizationServer;
  readonly url: string;
  listener: RequestListener;
  /** Takes the logins of another authorization server. */
  guard(issuer: string): void;
  close(): Promise<void>;
}

export async function startGuardedServer(tools: readonly AnyTool[] = [hello]): Promise<GuardedServer> {
  const authorization = await startAuthorizationServer();
  const server = createMcpServer({ name: 'behind a login', version: '1', tools });
  const http = await listening(() => (req, res) => guarded.listener(req, res));
  const url = `${http.url}/mcp`;
  const guarded: GuardedServer = {
    authorization,
    url,
    listener: () => {},
    guard(issuer) {
      guarded.listener = server.createHandler({ oauth: { issuer, resource: url, scopes: ['tools'] } });
    },
    async close() {
      await server.close();
      await http.close();
      await authorization.close();
    },
  };
  guarded.guard(authorization.issuer);
  return guarded;
}

/** The tools of a server, once it is connected. */
export function namesOf(connection: ServerConnection): Promise<readonly string[]> {
  return vi.waitFor(() => {
    const { kind } = connection.state();
    if (kind !== 'ready') throw new Error(`it is ${kind}`);
    return connection.offers().tools.map(({ name }) => name);
  }, 20_000);
}

/** Why a server is not connected, once that is known. */
export function whyWaiting(connection: ServerConnection): Promise<string> {
  return vi.waitFor(() => {
    const state = connection.state();
    if (state.kind !== 'waiting') throw new Error(`it is ${state.kind}`);
    return state.why;
  }, 20_000);
}
