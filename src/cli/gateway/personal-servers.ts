import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'effection';
import { createWaitingLogins, type ServerEntry, serveCallback } from '../../mcp/client/index.ts';
import type { PersonalOffer } from '../../mcp/index.ts';
import type { CallStore } from '../../stores/index.ts';
import type { Offered } from './joined-lists.ts';
import { loginsInMemory, loginsInStore } from './kept-logins.ts';
import { type PrincipalServersOptions, usePrincipalServers } from './principal-servers.ts';

/** Where login pages send people back to, on this server. */
const PATH = '/login';

/** The servers behind this one that each principal has for itself. */
export interface PersonalServers {
  /**
   * What each principal is offered, for as long as the caller lives.
   *
   * @param store keeps logins, also for other replicas; they are in memory without it
   * @param origin where browsers reach this server; nobody logs in without it
   */
  use(
    store: CallStore | undefined,
    origin: () => string | undefined,
  ): Operation<(principal: string) => PersonalOffer>;
  /** Answers who comes back from a login page. False for any other request. */
  callback(req: IncomingMessage, res: ServerResponse): boolean;
}

/**
 * @param common what everybody is offered; it comes first
 * @param how what the servers of all principals have in common
 */
export function personalServers(
  common: Offered,
  entries: readonly ServerEntry[],
  how: Pick<PrincipalServersOptions, 'policed' | 'listsReady'>,
): PersonalServers {
  const waiting = createWaitingLogins();
  return {
    *use(store, origin) {
      return yield* usePrincipalServers({
        common,
        ...how,
        entries: entries.filter(({ shared }) => !shared),
        waiting,
        kept: store ? loginsInStore(store) : loginsInMemory(),
        redirect: () => {
          const at = origin();
          return at === undefined ? undefined : new URL(PATH, at).href;
        },
      });
    },
    callback(req, res) {
      if (req.url?.split('?', 1)[0] !== PATH) return false;
      serveCallback(waiting, req, res);
      return true;
    },
  };
}
