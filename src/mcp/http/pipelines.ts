import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of one connection that are not answered yet. Clients that send a second one there before the answer are rare. */
const MOST = 32;

/**
 * Bounds what one connection can have asked for at once. Answers leave in the order of their requests, so that a peer which sends on and
 * on and reads nothing would have all of it done for nobody; connections are counted, and what stands behind each other in one was not.
 *
 * @returns what takes a request in: false when its connection was dropped for it
 */
export function boundPipelines(): (req: IncomingMessage, res: ServerResponse) => boolean {
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
