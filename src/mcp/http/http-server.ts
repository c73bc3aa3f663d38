import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { isLate, readLateRequests } from './held-up.ts';
import { limitStrangers } from './strangers.ts';

/** Most requests of one connection that are not answered yet. Clients that send a second one there before the answer are rare. */
const MOST = 32;

/**
 * Bounds what one connection can have asked for at once. Answers leave in the order of their requests, so that a peer which sends on and
 * on and reads nothing would have all of it done for nobody; connections are counted, and what stands behind each other in one was not.
 *
 * @returns what takes a request in: false when its connection was dropped for it
 */
function boundPipelines(): (req: IncomingMessage, res: ServerResponse) => boolean {
  const open = new WeakMap<Socket, number>();
  return ({ socket }, res) => {
    // What came in one piece is all handed on, dropped or not.
    if (socket.destroyed) return false;
    const count = (open.get(socket) ?? 0) + 1;
    if (count > MOST) {
      socket.destroy();
      return false;
    }
    open.set(socket, count);
    res.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    return true;
  };
}

/** Most connections at once. */
const MAX_CONNECTIONS = 2048;

/**
 * Connections that may wait to be accepted, for `server.listen({ port, backlog: BACKLOG })`: as many as there may be. With Node's own
 * number, 511, the system drops clients of a crowd that comes at one moment, or resets them. The system may have a lower limit.
 */
export const BACKLOG = MAX_CONNECTIONS;

/** Most of them that nobody has been let in on yet. */
const MAX_STRANGERS = 256;

/**
 * A `node:http` server for a handler, with limits for clients who are slow, many or talkative. Whatever a peer sends,
 * and whatever the handler makes of it, the server goes on. It also ends at once: `close()` alone waits for open
 * streams, so call `closeAllConnections()` after it. Listen with `BACKLOG`.
 *
 * @param onProblem told of a handler that threw, and of connections that could not be accepted
 * @param times other times than its own, for a test
 */
export function createHttpServer(
  handler: RequestListener,
  onProblem: (message: string, cause: unknown) => void = () => {},
  times: Pick<ServerOptions, 'headersTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'> = {},
): Server {
  const takesIn = boundPipelines();
  // Not imported: that loads fetch, too, 30 ms that a server on stdio would wait for.
  const server = process.getBuiltinModule('node:http').createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // The whole request, its body included; answers may stream for hours.
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      ...times,
    },
    (req, res) => {
      if (!takesIn(req, res)) return;
      const serve = async () => await handler(req, res);
      serve().catch((cause: unknown) => {
        onProblem('a request could not be served', cause);
        if (res.headersSent) res.destroy();
        else res.writeHead(500, { connection: 'close' }).end();
      });
    },
  );
  server.maxHeadersCount = 100;
  server.maxConnections = MAX_CONNECTIONS;
  limitStrangers(server, MAX_STRANGERS);
  const late = readLateRequests(server);
  server.on('clientError', (error, socket) => {
    const refuse = (status: string) => {
      if (!socket.writable) socket.destroy();
      // Ended alone, the connection would stay for as long as the peer keeps its own end open.
      else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    };
    if (isLate(error) && socket instanceof Socket) late(socket, () => refuse('408 Request Timeout'));
    else refuse('400 Bad Request');
  });
  // What goes wrong before it listens is for who called `listen`; later it is one connection that could not be accepted.
  server.once('listening', () => {
    server.on('error', (error) => onProblem('a connection could not be accepted', error));
  });
  return server;
}

/** Whether a request is for this path. Compared as text: what is no URL at all is no path of ours either. */
export function isFor(path: string, { url }: IncomingMessage): boolean {
  return url?.split('?', 1)[0] === path;
}
