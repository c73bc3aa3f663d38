import type { ServerResponse } from 'node:http';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { defined } from '../../core/schema/defined.ts';
import type { HttpLimits } from '../http/limits.ts';
import { SseConnection } from '../http/sse-connection.ts';
import type { RequestEnding } from '../request/wire-request.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage, type RpcRequest } from '../wire/rpc/json-rpc.ts';
import { EventStream } from './event-stream.ts';
import { Exchange, type ExchangeSession } from './exchange.ts';
import type { SessionFacts } from './kept/notes.ts';

/** With more streams than these, those that ended are forgotten at once. */
const MAX_STREAMS = 64;

/** How much of what may be kept is left when some of it is forgotten. */
const TRIMMED = 7 / 8;

/** What keeps the calls of a session beside it. */
export interface Keeping {
  /** A question is about to be sent, as this event of its stream. */
  sent(question: string, event: number): Promise<void>;
  /** What a client answered is durable, or is no answer. */
  settled(question: string): Promise<void>;
  /** This process ends: the session goes on in another. */
  leave(): Promise<void>;
  /** The session is over. */
  over(): Promise<void>;
}

/** A request that came to another process. */
export interface AdoptedRequest {
  readonly id: RpcId;
  /** The number of the stream that its client reads. */
  readonly stream: number;
  /** Where the questions stand in it that it has been sent. */
  readonly asked: Readonly<Record<string, number>>;
}

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
  /** Numbers of streams that were said before there was a stream. */
  readonly #reserved = new Map<Exchange, number>();
  readonly #before: number;
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
  /** What keeps its calls, if anything does. */
  keeping?: Keeping;

  /** @param before where events begin of a session that another process had: behind all that it has sent */
  constructor(id: string, principal: string, limits: HttpLimits, before = 0) {
    this.sessionId = id;
    this.principal = principal;
    this.#limits = limits;
    this.#before = before;
    this.#own = new EventStream(0, this.#grew, { seq: before });
    this.#streams.set(0, { stream: this.#own });
  }

  async start(): Promise<void> {}

  /** Whether another process had it before, and nothing of what its client asked for has come along. */
  get cameEmpty(): boolean {
    return this.#before > 0 && this.#exchanges.size === 0 && this.#streams.size === 1;
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
      this.onmessage?.(message as JSONRPCMessage);
    }
    if (ids.length === 0) this.#accept(messages, res);
  }

  /** Says that there is nothing to answer. Nothing is acknowledged that this process could still lose. */
  #accept(messages: readonly RpcMessage[], res: ServerResponse): void {
    const { keeping } = this;
    const questions = messages.flatMap((one) =>
      keeping && isResponse(one) && typeof one.id === 'string' ? [one.id] : [],
    );
    const accept = () => void res.writeHead(202, this.#headers).end();
    if (!keeping || questions.length === 0) accept();
    else Promise.all(questions.map((question) => keeping.settled(question))).then(accept, accept);
  }

  /** The protocol revision that its client speaks. */
  get revision(): string {
    return this.#revision;
  }

  /** The number of the stream that the answer to a request will be on, whether there is one yet or not. */
  streamOf(id: RpcId): number {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return 0;
    const open = [...this.#streams].find(([, one]) => one.exchange === exchange);
    const no = open?.[0] ?? this.#reserved.get(exchange) ?? ++this.#streamCount;
    if (!open) this.#reserved.set(exchange, no);
    return no;
  }

  /** Goes on with a request that came to another process, on its stream. Its client comes back for it, or is gone for good. */
  adopt({ id, stream: no, asked }: AdoptedRequest): void {
    this.#streamCount = Math.max(this.#streamCount, no);
    const exchange = new Exchange([id], false, undefined, {
      ...this.#exchangeSession(),
      openStream: (opening) => {
        const stream = new EventStream(no, this.#grew, { seq: this.#before, asked });
        this.#streams.set(no, { stream, exchange: opening });
        return stream;
      },
    });
    this.#exchanges.set(id, exchange);
  }

  /** Tells the server at the other end what its client said when it came, to another process. */
  async restore({ protocolVersion, capabilities, clientInfo }: SessionFacts): Promise<void> {
    this.#revision = protocolVersion;
    const params = { protocolVersion, capabilities, clientInfo };
    this.onmessage?.({ jsonrpc: '2.0', id: 'taken over', method: 'initialize', params });
    await new Promise((resolve) => setImmediate(resolve));
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Serves a request again that came to another process. */
  again({ id, method, params }: Pick<RpcRequest, 'id' | 'method' | 'params'>): void {
    this.onmessage?.({ jsonrpc: '2.0', id, method, ...defined({ params }) });
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
    const { keeping } = this;
    const named = isRequest(rpc) && typeof rpc.id === 'string' ? rpc.id : undefined;
    // Written before it is read: whoever takes the session over knows then what its client has.
    const first = keeping && named !== undefined ? (event: number) => keeping.sent(named, event) : undefined;
    if (exchange && related !== undefined) await exchange.send(rpc, related, first);
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
  async dismiss(why: string): Promise<void> {
    this.onabandoned?.([...this.#exchanges.keys()], { why });
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
        const no = this.#reserved.get(exchange) ?? ++this.#streamCount;
        this.#reserved.delete(exchange);
        const stream = new EventStream(no, this.#grew, { seq: this.#before });
        this.#streams.set(stream.no, { stream, exchange });
        return stream;
      },
      abandon: (ids) => this.onabandoned?.(ids),
      finished: (exchange) => {
        this.#reserved.delete(exchange);
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
