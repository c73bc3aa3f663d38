import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { patience } from './held-up.ts';

/** What takes a connection off the list of strangers. */
const strangers = new WeakMap<Socket, () => void>();

/** How long a connection may take to say who it is before it gives way to others, in milliseconds. */
const GRACE = 2_000;

/** When so much of all room is taken, it has this long to say anything. */
const CROWDED = 3 / 4;
const CROWDED_GRACE = 250;

/** From here on, each newcomer takes somebody's place at once. */
const FULL = 15 / 16;

/** How far strangers have come, by who gives way first: no byte of a request; some; its head, by which they are known soon. */
const STAGES = ['silent', 'begun', 'heard'] as const;
type Stage = (typeof STAGES)[number];

interface Stranger {
  readonly since: number;
  /** A request is being looked at. */
  heard: boolean;
  /** Bytes of requests that were answered. */
  answered: number;
}

/**
 * Keeps so many connections at most that have not shown yet that they may call: a peer that opens sockets and says
 * nothing must not use up those of everybody else. When there are more, strangers give way, those first who say nothing, and of
 * them the oldest: after a moment, for a crowd of honest clients comes at once, too. One whose request has come gives way
 * only where there is no other room.
 */
export function limitStrangers(server: Server, most: number): void {
  /** In the order in which they came. */
  const waiting = new Map<Socket, Stranger>();
  let connections = 0;
  let pressed = 0;
  let stopWaiting: (() => void) | undefined;

  const turnAway = (count: number, grace: number, stages: readonly Stage[]): void => {
    const now = performance.now();
    let left = count;
    for (const stage of stages) {
      for (const [socket, stranger] of waiting) {
        if (left <= 0) return;
        if (now - stranger.since < grace) break;
        if (stageOf(socket, stranger) !== stage) continue;
        waiting.delete(socket);
        socket.destroy();
        left -= 1;
      }
    }
  };
  const weed = (): void => {
    stopWaiting = undefined;
    turnAway(waiting.size - most, GRACE, ['silent', 'begun']);
    if (waiting.size > most) weedSoon();
  };
  function weedSoon(): void {
    stopWaiting ??= patience(GRACE, () => afterReading(weed));
  }
  const relieve = (): void => {
    turnAway(Math.min(pressed, waiting.size - most), CROWDED_GRACE, ['silent']);
    pressed = 0;
  };
  const makeRoom = (): void => {
    if (connections > server.maxConnections * FULL) turnAway(1, 0, STAGES);
    else if (connections > server.maxConnections * CROWDED) {
      pressed += 1;
      if (pressed === 1) afterReading(relieve);
    }
    weedSoon();
  };

  server.on('connection', (socket) => {
    connections += 1;
    if (waiting.size >= most) makeRoom();
    const known = () => {
      waiting.delete(socket);
      strangers.delete(socket);
    };
    waiting.set(socket, { since: performance.now(), heard: false, answered: 0 });
    strangers.set(socket, known);
    socket.once('close', () => {
      connections -= 1;
      known();
    });
  });
  server.prependListener('request', ({ socket }, res) => {
    const stranger = waiting.get(socket);
    if (!stranger) return;
    stranger.heard = true;
    res.once('close', () => {
      stranger.heard = false;
      stranger.answered = socket.bytesRead;
    });
  });
  server.once('close', () => stopWaiting?.());
}

function stageOf({ bytesRead }: Socket, { heard, answered }: Stranger): Stage {
  if (heard) return 'heard';
  return bytesRead > answered ? 'begun' : 'silent';
}

/** What has come by now is read first, however busy the process was. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/** A request on this connection was let in. */
export function admit(socket: Socket): void {
  strangers.get(socket)?.();
}
