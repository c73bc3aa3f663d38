import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What takes a connection off the list of strangers. */
const strangers = new WeakMap<Socket, () => void>();

/** How long a connection may take to say who it is before it gives way to others, in milliseconds. */
const GRACE = 2_000;

/** When so much of all room is taken, nobody has that time. */
const CROWDED = 3 / 4;

/**
 * Keeps so many connections at most that have not shown yet that they may call: a peer that opens sockets and says
 * nothing must not use up those of everybody else. When there are more, the oldest strangers give way: after a moment, for a
 * crowd of honest clients comes at once, too, or at once where there is little room left.
 */
export function limitStrangers(server: Server, most: number): void {
  /** Since when, in the order in which they came. */
  const waiting = new Map<Socket, number>();
  let connections = 0;
  let weeding = false;

  const turnAway = (socket: Socket): void => {
    waiting.delete(socket);
    socket.destroy();
  };
  const weed = (): void => {
    weeding = false;
    const now = performance.now();
    for (const [socket, since] of waiting) {
      if (waiting.size <= most) return;
      if (now - since >= GRACE) turnAway(socket);
      else break;
    }
    if (waiting.size > most) weedSoon();
  };
  function weedSoon(): void {
    if (weeding) return;
    weeding = true;
    // What has come from them by then is read first, however busy the process was.
    setTimeout(() => setImmediate(() => setImmediate(weed)), GRACE).unref();
  }

  server.on('connection', (socket) => {
    connections += 1;
    const [oldest] = waiting.keys();
    if (oldest && waiting.size >= most) {
      if (connections > server.maxConnections * CROWDED) turnAway(oldest);
      else weedSoon();
    }
    const known = () => {
      waiting.delete(socket);
      strangers.delete(socket);
    };
    waiting.set(socket, performance.now());
    strangers.set(socket, known);
    socket.once('close', () => {
      connections -= 1;
      known();
    });
  });
}

/** A request on this connection was let in. */
export function admit(socket: Socket): void {
  strangers.get(socket)?.();
}
