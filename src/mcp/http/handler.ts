import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import type { UsedOffer } from '../catalog/served-lists.ts';
import type { OAuthLogin } from '../login/oauth-login.ts';
import { eraOfHttp } from '../wire/era.ts';
import { asksForOffers } from '../wire/listing.ts';
import { idOf } from '../wire/rpc/json-rpc.ts';
import { RPC } from '../wire/rpc/rpc-error.ts';
import { discard, readJson } from './body.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import type { HttpLimits } from './limits.ts';
import { onRefusal, refuse } from './respond.ts';
import { admit } from './strangers.ts';
import { UnreadInAll } from './unread-in-all.ts';

/** What serves one era's requests; loaded when the first of them comes. */
export interface EraHandler {
  handle(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): Promise<void>;
  /** Ends all that a principal has. */
  dismiss(principal: string, why: string): Promise<void>;
  close(): Promise<void>;
}

/** What an endpoint is made of. */
export interface EndpointOptions {
  readonly guard: GuardOptions<Caller>;
  /** Lets in who has no token of ours, but one of an authorization server. */
  readonly login?: OAuthLogin<Caller> | undefined;
  /** Hears that a request of a principal begins. */
  readonly use?: (principal: string) => UsedOffer;
  readonly limits: HttpLimits;
  readonly load2025: () => Promise<EraHandler>;
  readonly load2026: () => Promise<EraHandler>;
  report(message: string, cause?: unknown, about?: 'request'): void;
}

/** A `node:http` request listener; `close` ends what it holds, at once. */
export interface HttpHandler {
  (req: IncomingMessage, res: ServerResponse): void;
  /** Answers a request for a page that was published (`publish`). False for any other, which is left alone. */
  page(req: IncomingMessage, res: ServerResponse): boolean;
  /** Answers a request for how to log in (`oauth`), where the handler itself does not get all requests. False for any other. */
  metadata(req: IncomingMessage, res: ServerResponse): boolean;
  /** Ends all that a principal has here, such as one whose token is worth nothing any more: calls, streams, sessions. */
  dismiss(principal: string, why: string): Promise<void>;
  close(): Promise<void>;
}

/** Both eras on one endpoint: guards, reads the body, and hands the request to the server of its era. */
export function createEndpoint(options: EndpointOptions): Omit<HttpHandler, 'page'> & RequestListener {
  const { limits } = options;
  const guard = createGuard(options.guard);
  const eras = { '2025': once(options.load2025), '2026': once(options.load2026) };
  const unread = new UnreadInAll(limits.maxUnreadInAll, (principal) =>
    options.report(
      `a connection of ${principal} was dropped: clients have more unread than ${limits.maxUnreadInAll} bytes`,
      undefined,
      'request',
    ),
  );
  let closed = false;

  /** Whether nobody waits any more, or nobody serves. */
  const isOver = (res: ServerResponse): boolean => {
    if (closed) res.destroy();
    return res.destroyed;
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const known = guard(req.headers);
    const asks = !known.ok && known.status === 401;
    const verdict = asks && options.login ? await options.login.letIn(req.headers) : known;
    if (!verdict.ok) {
      await discard(req);
      // The connection goes with the answer: a stranger does not keep one.
      refuse(res, {
        ...verdict,
        code: RPC.refused,
        headers: { ...verdict.headers, connection: 'close' },
      });
      return;
    }
    admit(req.socket);
    let body: unknown;
    if (req.method === 'POST') {
      const read = await readJson(req, limits);
      if (!read.ok) {
        const { status, message, code = RPC.refused } = read;
        refuse(res, { status, message, code, headers: { connection: 'close' } });
        return;
      }
      body = read.value;
    }
    const refused = verdict.refuses?.(body);
    if (refused) {
      refuse(res, { ...refused, code: RPC.refused, id: idOf(body) });
      return;
    }
    const used = options.use?.(verdict.principal.name);
    if (used && [body].flat().some(asksForOffers)) await used.ready;
    if (isOver(res)) {
      used?.release();
      return;
    }
    if (used) res.once('close', used.release);
    unread.add(res, verdict.principal.name);
    const version = req.headers['mcp-protocol-version'];
    const era = eraOfHttp(req.method ?? '', typeof version === 'string' ? version : undefined, body);
    const handler = await eras[era].get();
    // It may have taken a while.
    if (isOver(res)) return;
    await handler.handle(req, res, verdict.principal, body);
  }

  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    if (options.login?.metadata(req, res)) return;
    onRefusal(res, ({ status, message }) =>
      options.report(`a request was refused with ${status}: ${message}`, undefined, 'request'),
    );
    serve(req, res).catch((cause: unknown) => {
      options.report('a request could not be served', cause);
      refuse(res, { status: 500, code: RPC.internal, message: 'Internal error' });
    });
  };
  const all = async (end: (era: EraHandler) => Promise<void>) => {
    const loaded = await Promise.allSettled([eras['2025'].loaded(), eras['2026'].loaded()]);
    await Promise.all(loaded.map((one) => one.status === 'fulfilled' && one.value && end(one.value)));
  };
  return Object.assign(listener, {
    metadata: (req: IncomingMessage, res: ServerResponse) => options.login?.metadata(req, res) ?? false,
    dismiss: (principal: string, why: string) => all((era) => era.dismiss(principal, why)),
    async close() {
      closed = true;
      await all((era) => era.close());
    },
  });
}

function once<T>(load: () => Promise<T>): { get(): Promise<T>; loaded(): Promise<T> | undefined } {
  let value: Promise<T> | undefined;
  return {
    get() {
      value ??= load().catch((error: unknown) => {
        // The next request tries again.
        value = undefined;
        throw error;
      });
      return value;
    },
    loaded: () => value,
  };
}
