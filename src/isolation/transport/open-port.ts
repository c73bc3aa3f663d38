import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Lines } from './lines.ts';
import { lineOver, type SocketLine } from './socket-line.ts';

/** What a process needs to come in. */
export interface Address {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The first line that it sends. */
  readonly token: string;
}

/** A port of this machine that lets one process in: the one that knows the token. */
export interface OpenPort extends Address {
  /** The line to whoever came in. Pending until somebody does; for ever after {@link close}. */
  readonly entered: Promise<SocketLine>;
  /** Lets nobody in any more. The line to who is in stays. */
  close(): void;
}

const TOKEN_BYTES = 32;

/** How long a process may take to say the token, in milliseconds; it says it at once. */
const PATIENCE = 10_000;

/** Opens a port. It is closed behind the one who comes in. */
export async function openPort(): Promise<OpenPort> {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const { promise: entered, resolve } = Promise.withResolvers<SocketLine>();
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    askForToken(socket, token, (lines) => {
      waiting.delete(socket);
      close();
      resolve(lineOver(socket, lines));
    });
  });
  const close = () => {
    server.close();
    for (const socket of waiting) socket.destroy();
  };
  server.maxConnections = 8;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, token, entered, close };
}

/** Hangs up on whoever does not say the token first. */
function askForToken(socket: Socket, token: string, welcome: (lines: Lines) => void): void {
  const lines = new Lines();
  const hangUp = () => void socket.destroy();
  const hear = (chunk: Buffer) => {
    lines.push(chunk);
    try {
      const said = lines.shift(token.length);
      if (said === undefined) return;
      if (!isSame(said, token)) return hangUp();
      socket.off('data', hear);
      socket.setTimeout(0);
      welcome(lines);
    } catch {
      hangUp();
    }
  };
  socket.setTimeout(PATIENCE, hangUp);
  socket.on('error', hangUp);
  socket.on('data', hear);
}

function isSame(said: string, token: string): boolean {
  const [a, b] = [Buffer.from(said), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
