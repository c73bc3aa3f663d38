import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import type { UsedOffer } from '../catalog/served-lists.ts';
import type { OAuthLogin } from '../login/oauth-login.ts';
import { type Era, eraOfHttp } from '../wire/era.ts';
import { asksForOffers } from '../wire/listing.ts';
import { idOf } from '../wire/rpc/json-rpc.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { discard, readJson } from './body.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import type { HttpLimits } from './limits.ts';
import { HttpRefusal, onRefusal, refuse } from './respond.ts';
import { admit } from './strangers.ts';
import { UnreadInAll } from './unread-in-all.ts';

/** What serves one era's requests. */
export interface EraHandler {
  /** @throws `RpcError` for what it refuses: `HttpRefusal` where that is not 400 */
  handle(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): void | Promise<void>;
  /** Ends all that a principal has. */
  dismiss(principal: string, why: string): void | Promise<void>;
  close(): void;
}

/** Those of both eras. */
export type EraHandlers = Readonly<Record<Era, EraHandler>>;

/** What an endpoint is made of. */
export interface EndpointOptions {
  readonly guard: GuardOptions<Caller>;
  /** Lets in who has no token of ours, but one of an authorization server. */
  readonly login?: OAuthLogin<Caller> | undefined;
  /** Hears that a request of a principal begins. */
  readonly use?: (principal: string) => UsedOffer;
  readonly limits: HttpLimits;
  /** Called when the first request comes. */
  readonly start: () => Promise<EraHandlers>;
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
  const eras = once(options.start);
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
    const { [era]: handler } = await eras.get();
    // It may have taken a while.
    if (isOver(res)) return;
    try {
      await handler.handle(req, res, verdict.principal, body);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      const { status, headers } = error instanceof HttpRefusal ? error : { status: 400, headers: undefined };
      refuse(res, { status, code, message, data, headers, id: idOf(body) });
    }
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
  return Object.assign(listener, {
    metadata: (req: IncomingMessage, res: ServerResponse) => options.login?.metadata(req, res) ?? false,
    async dismiss(principal: string, why: string) {
      for (const one of Object.values(await eras.started())) await one.dismiss(principal, why);
    },
    async close() {
      closed = true;
      for (const one of Object.values(await eras.started())) one.close();
    },
  });
}

function once(start: () => Promise<EraHandlers>) {
  let value: Promise<EraHandlers> | undefined;
  return {
    get() {
      value ??= start().catch((error: unknown) => {
        // The next request tries again.
        value = undefined;
        throw error;
      });
      return value;
    },
    async started(): Promise<Partial<EraHandlers>> {
      return (await value?.catch(() => undefined)) ?? {};
    },
  };
}
