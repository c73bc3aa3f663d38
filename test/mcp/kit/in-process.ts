import type { AddressInfo } from 'node:net';
import {
  BACKLOG,
  createHttpServer,
  createMcpServer,
  type HandlerOptions,
  type McpServer,
  type McpServerOptions,
} from 'parley-mcp/server';

/** A server in this process, on a port of its own. */
export interface InProcess {
  readonly url: URL;
  readonly server: McpServer;
  /** What it said beside its answers. */
  readonly problems: string[];
  /** Connections that it has open. */
  connections(): Promise<number>;
  holdings(): ReturnType<McpServer['holdings']>;
  /** Ends all that a principal has. */
  dismiss(principal: string, why: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server; close it in the same test. Without a port it takes one that is free. */
export async function startServer(
  options: Partial<McpServerOptions> & Pick<McpServerOptions, 'tools'>,
  handler?: HandlerOptions,
  at = 0,
): Promise<InProcess> {
  const problems: string[] = [];
  const server = createMcpServer({
    name: 'test',
    version: '1.0.0',
    onProblem(message, cause, about) {
      if (about !== 'request') problems.push(`${message}: ${String(cause)}`);
    },
    ...options,
  });
  const listener = server.createHandler(handler);
  const http = createHttpServer((req, res) => {
    if (!listener.page(req, res)) listener(req, res);
  });
  await new Promise<void>((ready) => http.listen({ port: at, host: '127.0.0.1', backlog: BACKLOG }, ready));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    server,
    problems,
    connections: () =>
      new Promise((resolve, reject) =>
        http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    holdings: () => server.holdings(),
    dismiss: (principal, why) => listener.dismiss(principal, why),
    async close() {
      await server.close();
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}

/** A token for each of these principals, which is their name, twenty times. */
export const tokensOf = (...names: readonly string[]) =>
  names.map((name) => ({ token: name.repeat(20), principal: { name } }));

/** The headers of one of them. */
export const as = (name: string) => ({ authorization: `Bearer ${name.repeat(20)}` });
