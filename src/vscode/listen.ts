import type { RequestListener, Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import { action, ensure, type Operation, sleep, suspend } from 'effection';
import { BACKLOG, createHttpServer } from '../mcp/http/http-server.ts';

/** Only programs of this machine. */
const host = '127.0.0.1';

/** Between two tries to listen on a port that is taken, milliseconds. */
const AGAIN = 1_000;

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

/** Listens on a port as soon as nobody else does, until it is halted. Calls back when it has it. */
export function* listenWhenFree(
  handler: RequestListener,
  port: number,
  onFree: () => void,
): Operation<never> {
  const server = createHttpServer(handler);
  yield* ensure(() => closed(server));
  for (;;) {
    try {
      yield* listeningPort(server, port);
      break;
    } catch (error) {
      if (!isTaken(error)) throw error;
      yield* sleep(AGAIN);
    }
  }
  onFree();
  return (yield* suspend()) as never;
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

/** Another program has the port, or it is not ours to take. */
function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EADDRINUSE' || code === 'EACCES';
}
