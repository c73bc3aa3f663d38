import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { Caller } from '../caller.ts';
import { profileOf } from '../clients/profile.ts';
import type { ServerParts } from '../host.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import type { ClientWords } from '../wire/client-words.ts';
import type { FindableCall, GivenCall } from './connection-apps.ts';
import { withPages } from './paged-client.ts';
import { PagedRequest } from './paged-request.ts';
import { serveApps, showsApps } from './serve-apps.ts';

type Params = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;

/** The pages of one connection; in the later era, which has none, of one principal. */
export interface ConnectionPages {
  /** Pages for a client that says this of itself. */
  for(client: () => ClientWords): ClientPages;
  /** Whether a call runs that they may find, or a page is being looked at. */
  used(): boolean;
  close(): void;
}

/** The pages of calls that one client shows in its conversation. */
export interface ClientPages {
  /** A call has begun; nothing where no page could find it. */
  began(call: GivenCall): FindableCall | undefined;
  /** Answers what is about pages, adds them to lists, and hands on everything else. */
  serve(method: string, params: Params, next: () => Promise<Result>): Promise<Result>;
  /** What the client can do with its pages. */
  adds(has: ClientCapabilities): ClientCapabilities;
  /** A request for a call that is asked on pages of this server's own; nothing for any other request. */
  request(method: string, params: Params): PagedRequest | undefined;
}

/** Serves the caller's pages, or the server's own, to clients that show pages. */
export function serveConnection(host: ServerParts, caller: Caller): ConnectionPages | undefined {
  const { apps } = caller;
  const pages = apps ?? host.appPages;
  if (!pages) return undefined;
  const own = apps ? undefined : host.appPages;
  const served = serveApps(host, caller, pages);

  return {
    used: served.used,
    close: served.close,
    for(client) {
      const shown = (): boolean => {
        const { capabilities, info } = client();
        return showsApps(capabilities) && profileOf(info).apps !== false;
      };
      const early = (): boolean => {
        const { capabilities, info } = client();
        const asksItself = decodeCapabilities(capabilities).elicitation?.form === true;
        return own !== undefined && !asksItself && own.slow.is(info) !== false;
      };
      return {
        // Where no pages are shown there are none that could find it.
        began: (call) => (shown() ? served.began(call) : undefined),
        serve: (method, params, next) => (shown() ? served.serve(method, params, next, early()) : next()),
        adds: (has) => (own && shown() ? withPages(has) : has),
        request: (method, params) =>
          own && method === 'tools/call' && shown() && served.shows(params.name)
            ? new PagedRequest(host, own, client().info)
            : undefined,
      };
    },
  };
}
