import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What takes a connection off the list of strangers. */
const strangers = new WeakMap<Socket, () => void>();

/**
 * Keeps so many connections at most that have not shown yet that they may call: a peer that opens sockets and says
 * nothing must not use up those of everybody else. When one more comes, the oldest stranger gives way.
 */
export function limitStrangers(server: Server, most: number): void {
  const waiting = new Set<Socket>();
  server.on('connection', (socket) => {
    const [oldest] = waiting;
    if (oldest && waiting.size >= most) oldest.destroy();
    const known = () => {
      waiting.delete(socket);
      strangers.delete(socket);
    };
    waiting.add(socket);
    strangers.set(socket, known);
    socket.once('close', known);
  });
}

/** A request on this connection was let in. */
export function admit(socket: Socket): void {
  strangers.get(socket)?.();
}
