import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { withPages } from './paged-client.ts';
import { PagedRequest } from './paged-request.ts';
import { type ServedApps, serveApps, showsApps } from './serve-apps.ts';

/** What a client says of itself. */
export interface ClientWords {
  readonly capabilities: unknown;
  readonly info: unknown;
}

/** The pages of one connection. */
export interface ConnectionPages extends Pick<ServedApps, 'serve' | 'began' | 'close'> {
  /** Whether a client with these capabilities shows them. */
  isFor(capabilities: unknown): boolean;
  /** What a client can do with its pages. */
  adds(has: ClientCapabilities): ClientCapabilities;
  /** A request for a call that is asked on pages of this server's own; nothing for any other request. */
  request(method: string, params: Readonly<Record<string, unknown>>): PagedRequest | undefined;
}

/** Serves the caller's pages, or the server's own, where the client at the other end shows pages. */
export function serveConnection(
  host: ServerParts,
  caller: Caller,
  client: () => ClientWords,
): ConnectionPages | undefined {
  const { apps, pages: all } = { apps: caller.apps, pages: host.appPages };
  const pages = apps ?? all;
  if (!pages) return undefined;
  const own = apps ? undefined : all;
  const asksItself = (): boolean => {
    return decodeCapabilities(client().capabilities).elicitation?.form === true;
  };
  const early = (): boolean => own !== undefined && !asksItself() && own.slow.is(client().info) !== false;
  const served = serveApps(host, caller, pages, early);
  const shown = (): boolean => showsApps(client().capabilities);
  return {
    isFor: showsApps,
    began: served.began,
    close: served.close,
    serve: async (method, params, next) =>
      shown() ? await served.serve(method, params, next) : await next(),
    adds: (has) => (own && shown() ? withPages(has) : has),
    request: (method, params) =>
      own && method === 'tools/call' && shown() && served.shows(params.name)
        ? new PagedRequest(host, own, client().info)
        : undefined,
  };
}
