import type { Caller } from '../caller.ts';
import { profileOf } from '../clients/profile.ts';
import type { ServerParts } from '../host.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import type { ClientWords } from '../wire/client-words.ts';
import type { ClientPages } from './connection-apps.ts';
import { serveApps, showsApps } from './serve-apps.ts';

/** The pages of one connection; in the later era, which has none, of one principal. */
export interface ConnectionPages {
  /** Pages for a client that says this of itself. */
  for(client: () => ClientWords): ClientPages;
  /** Whether a call runs that they may find, or a page is being looked at. */
  used(): boolean;
  close(): void;
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
        began: (call) =>
          shown()
            ? served.began({ ...call, found: (late) => own?.slow.remember(client().info, late) })
            : undefined,
        serve: (method, params, next) => (shown() ? served.serve(method, params, next, early()) : next()),
        asks: (tool) => own !== undefined && shown() && (tool === undefined || served.shows(tool)),
      };
    },
  };
}
