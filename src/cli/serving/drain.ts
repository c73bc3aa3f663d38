import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer } from '../../mcp/index.ts';

/** Between two looks whether something still runs, milliseconds. */
const LOOK = 50;
/** After so many quiet looks what ran has been answered, too. */
const QUIET = 3;

/** A server on its way out, or not yet. */
export interface Drain {
  /** Whether it is on its way out. */
  readonly isDraining: () => boolean;
  /** Refuses a request when it is: the client, or the balancer, tries another server. False for one that is to be served, and waited for. */
  refuse(req: IncomingMessage, res: ServerResponse): boolean;
  /** Lets what runs come to its next question or its end, for so many milliseconds at most. Calls that wait are left to the store. */
  run(atMost: number): Promise<void>;
}

/** Makes a server leave in good order. */
export function createDrain(server: Pick<McpServer, 'holdings'>): Drain {
  let draining = false;
  const open = new Set<ServerResponse>();
  // One that waits for servers behind this one has no call yet; one that has begun to be answered may be a stream without end.
  const isWaitedFor = () => [...open].some(({ headersSent }) => !headersSent);
  return {
    isDraining: () => draining,
    refuse(_req, res) {
      if (!draining) {
        open.add(res);
        res.once('close', () => open.delete(res));
        return false;
      }
      res.writeHead(503, { 'retry-after': '1', connection: 'close' }).end();
      return true;
    },
    async run(atMost) {
      draining = true;
      const end = performance.now() + atMost;
      for (let quiet = 0; quiet < QUIET && performance.now() < end; ) {
        const holdings = await server.holdings();
        const isBusy = isWaitedFor() || holdings.some(({ calls }) => calls.running);
        quiet = isBusy ? 0 : quiet + 1;
        await delay(LOOK);
      }
    },
  };
}
