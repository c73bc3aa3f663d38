import type { AddressInfo } from 'node:net';
import {
  BACKLOG,
  createHttpServer,
  createMcpServer,
  type HandlerOptions,
  type McpServer,
  type McpServerOptions,
} from 'parley-mcp/server';
import { onTestFinished } from 'vitest';

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

/** Starts a server for the test that runs; it is closed when the test is over, if it is not yet. */
export async function startServer(...args: Parameters<typeof openServer>): Promise<InProcess> {
  const server = await openServer(...args);
  onTestFinished(() => server.close());
  return server;
}

/** Starts a server outside of tests; close it. Without a port it takes one that is free. */
export async function openServer(
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
  const end = async (): Promise<void> => {
    await server.close();
    http.closeAllConnections();
    await new Promise((closed) => http.close(closed));
  };
  let ending: Promise<void> | undefined;
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
    close() {
      ending ??= end();
      return ending;
    },
  };
}

/** A token for each of these principals, which is their name, twenty times. */
export const tokensOf = (...names: readonly string[]) =>
  names.map((name) => ({ token: name.repeat(20), principal: { name } }));

/** The headers of one of them. */
export const as = (name: string) => ({ authorization: `Bearer ${name.repeat(20)}` });
