import type { IncomingMessage, ServerResponse } from 'node:http';
import { toolOf } from '../../core/plugin/offer.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';
import { serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import type { EraHandler } from '../http/handler.ts';
import type { HttpLimits } from '../http/limits.ts';
import { type RequestEnding, STOPPED } from '../request/awaited-request.ts';
import { answerTo } from '../request/serve-request.ts';
import { checkRevision, revisionIn } from '../wire/client-words.ts';
import { headerMismatch, paramHeadersOf, standardHeadersOf } from '../wire/param-headers.ts';
import { isRequest, messageOf, NO_MESSAGE, type RpcRequest } from '../wire/rpc/json-rpc.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { HttpExchange } from './http-exchange.ts';
import { serve2026 } from './request.ts';
import type { ServerCalls } from './serve-call.ts';
import type { Serving2026 } from './serving.ts';

const NO_BATCHES = 'Bad Request: there are no batches in protocol revision 2026-07-28';

/** What there is of a caller. */
interface Entry {
  readonly serving: Serving2026;
  /** Requests that are being served, subscriptions among them. */
  readonly open: Set<HttpExchange>;
}

/** The 2026-era side of one HTTP endpoint: nothing lives between requests but calls, and pages of calls. */
export class Http2026 implements EraHandler {
  readonly #host: ServerParts;
  readonly #calls: ServerCalls;
  readonly #limits: HttpLimits;
  /** Who called last is last. */
  readonly #entries = new Map<string, Entry>();

  constructor(host: ServerParts, calls: ServerCalls, limits: HttpLimits) {
    this.#host = host;
    this.#calls = calls;
    this.#limits = limits;
  }

  /** How many callers there is something of. */
  get size(): number {
    return this.#entries.size;
  }

  async handle(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): Promise<void> {
    const message = messageOf(body);
    if (!message) throw new RpcError(RPC.invalidRequest, Array.isArray(body) ? NO_BATCHES : NO_MESSAGE);
    if (!isRequest(message)) {
      // Nothing that a client only tells concerns anybody here.
      res.writeHead(202).end();
      return;
    }
    this.#check(req, caller, message);
    const { serving, open } = this.#entryOf(caller);
    const exchange = new HttpExchange(res, this.#limits.maxUnread);
    open.add(exchange);
    // What a caller may see may have changed since its last request.
    const response = await answerTo(message, () => serve2026({ ...serving, caller }, message, exchange));
    open.delete(exchange);
    exchange.answer(response);
  }

  /** Ends the requests and calls of a principal. */
  async dismiss(principal: string, why: string): Promise<void> {
    const entry = this.#entries.get(principal);
    this.#entries.delete(principal);
    if (entry) end(entry, { why });
    // Of one who is not remembered there may still be calls that wait.
    const waiting = this.#calls.calls.abandon(principal);
    await Promise.all(waiting.map((session) => this.#host.run(() => session.abort(why))));
  }

  close(): void {
    for (const entry of this.#entries.values()) end(entry, STOPPED);
  }

  /** @throws `RpcError` for a request that is not what it says it is */
  #check({ headers }: IncomingMessage, caller: Caller, request: RpcRequest): void {
    const { method, params = {} } = request;
    const revision = revisionIn(params);
    checkHeaders(standardHeadersOf(method), request, headers);
    checkRevision(revision);
    if (method === 'tools/call') this.#checkParams(headers, caller, params);
  }

  /** Parameters that a tool marks with `x-mcp-header` stand in headers as well. */
  #checkParams(
    headers: IncomingMessage['headers'],
    caller: Caller,
    { name, arguments: args }: Readonly<Record<string, unknown>>,
  ): void {
    if (typeof name !== 'string') return;
    const served = this.#host.for(caller.name).surface.resolve(caller, name, args)?.served;
    const tool = served && toolOf(served);
    // Through `run_tool` another tool runs than the one that the client called, and knows.
    if (tool?.name === name) checkHeaders(paramHeadersOf(tool.def.parameters.json), args, headers);
  }

  #entryOf(caller: Caller): Entry {
    const host = this.#host.for(caller.name);
    const before = this.#entries.get(caller.name);
    // One whose lists were let go has others now.
    const known = before?.serving.host.changes === host.changes ? before : undefined;
    const entry = known ?? this.#made(host, caller);
    const idle = keepLast(
      this.#entries,
      [caller.name, entry],
      this.#limits.maxPrincipals,
      ({ open, serving }) => open.size === 0 && serving.pages?.used() !== true,
    );
    for (const one of before && !known ? [...idle, before] : idle)
      end(one, { why: 'the lists have changed' });
    return entry;
  }

  #made(host: ServerParts, caller: Caller): Entry {
    const subscriptions = { open: 0, most: this.#limits.maxSubscriptions };
    const pages = serveConnection(host, caller);
    return { serving: { host, calls: this.#calls, caller, pages, subscriptions }, open: new Set() };
  }
}

/** @throws `-32020` */
function checkHeaders(...all: Parameters<typeof headerMismatch>): void {
  const mismatch = headerMismatch(...all);
  if (mismatch !== undefined) throw new RpcError(RPC.headerMismatch, `Bad Request: ${mismatch}`);
}

function end({ serving, open }: Entry, ending: RequestEnding): void {
  for (const exchange of open) exchange.close(ending);
  serving.pages?.close();
}
