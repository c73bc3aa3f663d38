import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * A `node:http` server for a handler, with limits for clients who are slow, many or talkative. It also ends at once:
 * `close()` alone waits for open streams, so call `closeAllConnections()` after it.
 */
export function createHttpServer(handler: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // The whole request, its body included; answers may stream for hours.
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
    },
    handler,
  );
  server.maxHeadersCount = 100;
  server.maxConnections = 2048;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return server;
}
