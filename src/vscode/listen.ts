import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { action, ensure, type Operation, until } from 'effection';
import { BACKLOG, createHttpServer } from '../mcp/http/http-server.ts';
import { removeLeftSockets, SOCKET, SOCKET_FOLDER } from './left-sockets.ts';

/** Only programs of this machine. */
const host = '127.0.0.1';

/**
 * A resource of the caller's scope: listens on the wanted port, or on one that the system chooses when that is taken.
 * @returns the port
 */
export function* useListening(handler: RequestListener, wanted: number | undefined): Operation<number> {
  const server = createHttpServer(handler);
  yield* ensure(() => closed(server));
  try {
    return yield* listeningPort(server, wanted ?? 0);
  } catch (error) {
    if (wanted === undefined || !isTaken(error)) throw error;
    return yield* listeningPort(server, 0);
  }
}

/**
 * A resource of the caller's scope: listens at a socket in a folder that is this user's alone, so that no port is open for it. Not
 * for Windows, which has no such files. What windows that were killed have left there is removed.
 * @returns the socket's path
 * @throws when the folder for temporary files is of no use for it
 */
export function* useSocket(handler: RequestListener): Operation<string> {
  // Nobody waits for it, and it ends by itself.
  removeLeftSockets(tmpdir()).catch(() => {});
  const folder = yield* until(mkdtemp(join(tmpdir(), SOCKET_FOLDER)));
  yield* ensure(() => until(rm(folder, { recursive: true, force: true })));
  const path = join(folder, SOCKET);
  // Systems cut what is longer, and an address holds the path as it is.
  if (!/^[\w./+-]{1,100}$/.test(path)) throw new Error(`a socket cannot be at ${path}`);
  const server = createHttpServer(handler);
  yield* ensure(() => closed(server));
  yield* listening(server, { path });
  return path;
}

function* listeningPort(server: Server, port: number): Operation<number> {
  yield* listening(server, { host, port, exclusive: true });
  const address = server.address();
  if (typeof address === 'object' && address) return address.port;
  throw new Error('the server has no address');
}

function listening(server: Server, at: ListenOptions): Operation<void> {
  return action((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...at, backlog: BACKLOG }, resolve);
    return () => {
      server.off('error', reject);
      server.off('listening', resolve);
    };
  });
}

/** At once: open streams do not keep it. */
function closed(server: Server): Operation<void> {
  return action((resolve) => {
    // An error here means that it was not listening any more.
    server.close(() => resolve());
    server.closeAllConnections();
    return () => {};
  });
}

/** Somebody else has the port, or it is not ours to take. */
function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EADDRINUSE' || code === 'EACCES';
}
