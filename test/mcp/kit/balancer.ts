import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands in front of several servers. */
export interface Balancer {
  readonly url: URL;
  /** The server that a session was given to, as far as it is known. */
  serverOf(session: string): URL | undefined;
  close(): Promise<void>;
}

/**
 * A balancer as teams have one: each request goes to the next server, those of a session to the one that it began at, and to the next when
 * that is away. A request that reached no server is tried at another; one that broke off is not, for nobody knows what came of it.
 *
 * @param servers who is there now
 */
export async function startBalancer(servers: () => readonly URL[]): Promise<Balancer> {
  const sessions = new Map<string, URL>();
  let turn = 0;

  function serve(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
    const session = String(req.headers['mcp-session-id'] ?? '');
    const known = sessions.get(session)?.href;
    const all = servers();
    const begin = turn++;
    const order = all.map((_, i) => all[(begin + i) % all.length] as URL);
    const mine = order.findIndex(({ href }) => href === known);
    if (mine > 0) order.unshift(...order.splice(mine, 1));
    const next = (): void => {
      const server = order.shift();
      if (!server) {
        res.writeHead(502).end();
        return;
      }
      const headers = { ...req.headers, host: server.host };
      const on = request(new URL(req.url ?? '/', server), { method: req.method, headers }, (answer) => {
        const given = answer.headers['mcp-session-id'];
        if (typeof given === 'string' && answer.statusCode === 200) sessions.set(given, server);
        else if (session !== '' && (answer.statusCode ?? 500) < 400) sessions.set(session, server);
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        res.flushHeaders();
        answer.pipe(res);
        answer.once('error', () => res.destroy());
        answer.once('close', () => {
          if (!answer.complete) res.destroy();
        });
      });
      on.once('error', (error: NodeJS.ErrnoException) => {
        if (res.headersSent) res.destroy();
        else if (error.code === 'ECONNREFUSED') next();
        else res.writeHead(502).end();
      });
      res.once('close', () => on.destroy());
      on.end(body);
    };
    next();
  }

  const http = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => serve(req, res, Buffer.concat(chunks)));
    req.once('error', () => res.destroy());
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    serverOf: (session) => sessions.get(session),
    async close() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}
