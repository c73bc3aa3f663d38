import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long what has come meanwhile may take to be read, milliseconds. */
const CATCH_UP = 2_000;

/**
 * Says when a time is over for a peer. Timers of a process that was held up fire before it reads what has come meanwhile: that it was
 * not there is not its peer's fault, so the time that it was late is added once, and what is there is read first.
 *
 * @returns what stops the wait
 */
export function patience(milliseconds: number, over: () => void): () => void {
  const began = performance.now();
  let timer = setTimeout(() => {
    const late = performance.now() - began - milliseconds;
    timer = setTimeout(over, Math.max(late, CATCH_UP));
  }, milliseconds);
  return () => clearTimeout(timer);
}

/** Whether an error of a connection is about the time that a request took. */
export function isLate(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/**
 * Lets the requests of a server that are late be read, if they are there: a server that was held up finds them and their time over
 * at once. So it is with connections that idled.
 */
export function readLateRequests(server: Server): (socket: Socket, refuse: () => void) => void {
  /** Requests that have not come to their end, by their connection. */
  const latest = new WeakMap<Socket, { readonly complete: boolean }>();
  server.prependListener('request', (req) => latest.set(req.socket, req));
  server.on('timeout', (socket) => {
    const before = socket.bytesRead;
    // What has come is read behind this turn's timers.
    setImmediate(() => setImmediate(() => socket.bytesRead === before && socket.destroy()));
  });
  return (socket, refuse) => {
    setTimeout(() => {
      if (!socket.destroyed && !latest.get(socket)?.complete) refuse();
    }, CATCH_UP);
  };
}
