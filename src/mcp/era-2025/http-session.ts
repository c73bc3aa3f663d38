import type { ServerResponse } from 'node:http';
import type { HttpLimits } from '../http/limits.ts';
import { SseConnection } from '../http/sse-connection.ts';
import type { RequestEnding } from '../request/awaited-request.ts';
import { isRequest, type RpcId, type RpcMessage } from '../wire/rpc/json-rpc.ts';
import type { Connection2025, Outlet } from './connection.ts';
import { EventStream } from './event-stream.ts';
import { Exchange, type ExchangeSession } from './exchange.ts';

/** With more streams than these, those that ended are forgotten at once. */
const MAX_STREAMS = 64;

/** How much of what may be kept is left when some of it is forgotten. */
const TRIMMED = 7 / 8;

/**
 * The server's end of one 2025-era HTTP session: requests come in by POST, and answers, questions and notifications
 * leave on the stream of the request they belong to. Anything else leaves on the session's own stream (GET).
 */
export class HttpSession implements Outlet {
  readonly sessionId: string;
  readonly principal: string;
  readonly #limits: HttpLimits;
  readonly #exchanges = new Map<RpcId, Exchange>();
  readonly #streams = new Map<number, { readonly stream: EventStream; readonly exchange?: Exchange }>();
  readonly #own: EventStream;
  readonly #connection: Connection2025;
  #streamCount = 0;
  #kept = 0;
  #closed = false;
  #revision = '';
  lastUsed = Date.now();

  constructor(
    {
      id,
      principal,
      limits,
    }: { readonly id: string; readonly principal: string; readonly limits: HttpLimits },
    connect: (session: Outlet) => Connection2025,
  ) {
    this.sessionId = id;
    this.principal = principal;
    this.#limits = limits;
    this.#own = new EventStream(0, this.#grew);
    this.#streams.set(0, { stream: this.#own });
    this.#connection = connect(this);
  }

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
      this.#connection.take(message);
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

  async send(message: RpcMessage, of?: RpcId): Promise<void> {
    if (of === undefined) await this.#own.send(message);
    // There is no one to send what belongs to a request that is over.
    else await this.#exchanges.get(of)?.send(message, of);
  }

  /** A request that gets no answer. */
  drop(id: RpcId): void {
    this.#exchanges.get(id)?.drop(id);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.close();
    for (const { stream } of this.#streams.values()) stream.end(Date.now());
    this.#connection.close();
  }

  /** Ends it and all that its client waits for, at once. */
  endAll(ending: RequestEnding): void {
    this.#connection.abandon([...this.#exchanges.keys()], ending);
    this.close();
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
      abandon: (ids) => this.#connection.abandon(ids),
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
