import type { ServerResponse } from 'node:http';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { HttpLimits } from '../http/limits.ts';
import { SseConnection } from '../http/sse-connection.ts';
import type { RequestEnding } from '../request/wire-request.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage } from '../wire/rpc/json-rpc.ts';
import { EventStream } from './event-stream.ts';
import { Exchange, type ExchangeSession } from './exchange.ts';

/** With more streams than these, those that ended are forgotten at once. */
const MAX_STREAMS = 64;

/** How much of what may be kept is left when some of it is forgotten. */
const TRIMMED = 7 / 8;

/**
 * The server's end of one 2025-era HTTP session, as a transport of the SDK: requests come in by POST, and answers,
 * questions and notifications leave on the stream of the request they belong to. Anything else leaves on the session's
 * own stream (GET). Written directly on `node:http`: the SDK's transport never tells that a client vanished.
 */
export class HttpSession implements Transport {
  readonly sessionId: string;
  readonly principal: string;
  readonly #limits: HttpLimits;
  readonly #exchanges = new Map<RpcId, Exchange>();
  readonly #streams = new Map<number, { readonly stream: EventStream; readonly exchange?: Exchange }>();
  readonly #own: EventStream;
  #streamCount = 0;
  #kept = 0;
  #closed = false;
  #revision = '';
  lastUsed = Date.now();

  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Told of requests that nobody waits for any more: their client is gone for good, unless there is another reason. */
  onabandoned?: (ids: readonly RpcId[], ending?: RequestEnding) => void;

  constructor(id: string, principal: string, limits: HttpLimits) {
    this.sessionId = id;
    this.principal = principal;
    this.#limits = limits;
    this.#own = new EventStream(0, this.#grew);
    this.#streams.set(0, { stream: this.#own });
  }

  async start(): Promise<void> {}

  /** Whether anything goes on in it. */
  get busy(): boolean {
    return this.#exchanges.size > 0 || [...this.#streams.values()].some(({ stream }) => stream.connected);
  }

  /** Whether requests of its client run. */
  get serving(): boolean {
    return this.#exchanges.size > 0;
  }

  /** Whether one of these requests is running already. */
  hasPending(ids: readonly RpcId[]): boolean {
    return ids.some((id) => this.#exchanges.has(id));
  }

  /** Takes in the messages of one POST. */
  post(messages: readonly RpcMessage[], batch: boolean, res: ServerResponse): void {
    this.lastUsed = Date.now();
    const ids = messages.filter(isRequest).map((message) => message.id);
    if (ids.length > 0) {
      const exchange = new Exchange(ids, batch, res, this.#exchangeSession());
      for (const id of ids) this.#exchanges.set(id, exchange);
    }
    for (const message of messages) {
      const revision = message as { method?: string; params?: { protocolVersion?: unknown } };
      if (revision.method === 'initialize') this.#revision = String(revision.params?.protocolVersion ?? '');
      this.onmessage?.(message as JSONRPCMessage);
    }
    if (ids.length === 0) res.writeHead(202, this.#headers).end();
  }

  /** Opens the session's own stream, or continues a stream after an event. Says whether that event is known. */
  get(res: ServerResponse, from?: { readonly no: number; readonly seq: number }): boolean {
    this.lastUsed = Date.now();
    const found = this.#streams.get(from?.no ?? 0);
    if (!found || (from && !found.stream.reached(from.seq))) return false;
    const { stream, exchange } = found;
    const connection: SseConnection = new SseConnection(res, {
      headers: this.#headers,
      maxUnread: this.#limits.maxUnread,
      onDrain: () => stream.drained(),
      onClose: () => stream.detach(connection) && exchange?.vanished(),
    });
    exchange?.resumed();
    stream.attach(connection, from?.seq);
    return true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const rpc = message as RpcMessage;
    const related = isResponse(rpc) ? rpc.id : options?.relatedRequestId;
    const exchange = related === undefined ? undefined : this.#exchanges.get(related);
    if (exchange && related !== undefined) await exchange.send(rpc, related);
    // An answer to nobody, or what belongs to a request that is over: there is no one to send it to.
    else if (related === undefined) await this.#own.send(rpc);
  }

  /** A request that gets no answer. */
  drop(id: RpcId): void {
    this.#exchanges.get(id)?.drop(id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.close();
    for (const { stream } of this.#streams.values()) stream.end(Date.now());
    this.onclose?.();
  }

  /** Ends it and all that its client waits for, at once. */
  async endAll(ending: RequestEnding): Promise<void> {
    this.onabandoned?.([...this.#exchanges.keys()], ending);
    await this.close();
    this.destroy();
  }

  /** Cuts every connection. */
  destroy(): void {
    for (const { stream } of this.#streams.values()) stream.destroy();
  }

  /** Forgets streams that ended too long ago for anybody to resume them. */
  sweep(now: number): void {
    for (const [no, { stream }] of this.#streams) {
      if (stream.endedAt !== undefined && now - stream.endedAt > this.#limits.resumeGrace) {
        this.#forget(no, stream);
      }
    }
  }

  get #headers(): Readonly<Record<string, string>> {
    return { 'mcp-session-id': this.sessionId };
  }

  #exchangeSession(): ExchangeSession {
    return {
      headers: this.#headers,
      maxUnread: this.#limits.maxUnread,
      streamAfter: this.#limits.streamAfter,
      grace: this.#limits.resumeGrace,
      primes: this.#revision >= '2025-11-25',
      openStream: (exchange) => {
        const stream = new EventStream(++this.#streamCount, this.#grew);
        this.#streams.set(stream.no, { stream, exchange });
        return stream;
      },
      abandon: (ids) => this.onabandoned?.(ids),
      finished: (exchange) => {
        for (const id of exchange.ids) if (this.#exchanges.get(id) === exchange) this.#exchanges.delete(id);
      },
    };
  }

  readonly #grew = (bytes: number): void => {
    this.#kept += bytes;
    if (this.#kept > this.#limits.maxReplay || this.#streams.size > MAX_STREAMS) this.#trim();
  };

  /** Streams that ended go first, then notifications; questions and answers of a running call stay. */
  #trim(): void {
    for (const [no, { stream }] of this.#streams) {
      if (stream.endedAt === undefined) continue;
      if (this.#kept <= this.#limits.maxReplay && this.#streams.size <= MAX_STREAMS) return;
      this.#forget(no, stream);
    }
    for (const { stream } of this.#streams.values()) {
      if (this.#kept <= this.#limits.maxReplay) return;
      // More than has to go: each look at all that is kept is for many that come after it.
      this.#kept -= stream.trim(this.#kept - this.#limits.maxReplay * TRIMMED);
    }
  }

  #forget(no: number, stream: EventStream): void {
    this.#streams.delete(no);
    this.#kept -= stream.bytes;
  }
}
