import type { ServerResponse } from 'node:http';
import { sendJson } from '../http/respond.ts';
import { SseConnection } from '../http/sse-connection.ts';
import { isResponse, type RpcId, type RpcMessage, type RpcResponse } from '../wire/rpc/json-rpc.ts';
import type { EventStream } from './event-stream.ts';

/** What an exchange needs of its session. */
export interface ExchangeSession {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxUnread: number;
  /** An answer that comes within so many milliseconds goes out as plain JSON. */
  readonly streamAfter: number;
  /** How long a call outlives its connection, milliseconds. */
  readonly grace: number;
  /** Whether the client understands an event without data (2025-11-25 on). */
  readonly primes: boolean;
  openStream(exchange: Exchange): EventStream;
  /** The client is gone for good: these requests have nobody to answer. */
  abandon(ids: readonly RpcId[]): void;
  /** All requests are answered, or nobody waits for them any more. */
  finished(exchange: Exchange): void;
}

/**
 * One POST with requests in it, until all of them are answered. It answers with JSON when nothing but the answers is
 * to be sent and they come soon, with a stream otherwise. A client that vanishes has a while to come back.
 */
export class Exchange {
  readonly ids: readonly RpcId[];
  readonly #pending: Set<RpcId>;
  readonly #answers: RpcResponse[] = [];
  readonly #batch: boolean;
  readonly #res: ServerResponse;
  readonly #session: ExchangeSession;
  readonly #upgradeTimer: NodeJS.Timeout;
  #graceTimer: NodeJS.Timeout | undefined;
  #stream: EventStream | undefined;
  #over = false;

  constructor(ids: readonly RpcId[], batch: boolean, res: ServerResponse, session: ExchangeSession) {
    this.ids = ids;
    this.#pending = new Set(ids);
    this.#batch = batch;
    this.#res = res;
    this.#session = session;
    this.#upgradeTimer = setTimeout(() => this.#upgrade(), session.streamAfter);
    res.on('close', this.#onClose);
  }

  /** Sends a message that belongs to the request `of`; what it gives, as for a stream. */
  send(message: RpcMessage, of: RpcId): Promise<void> | undefined {
    if (this.#over) return undefined;
    const answer = isResponse(message) ? message : undefined;
    if (answer?.id !== undefined) this.#pending.delete(answer.id);
    let room: Promise<void> | undefined;
    if (this.#stream && this.#batch && !('id' in message))
      room = this.#stream.sendInTurn(message, () => !this.#pending.has(of));
    else if (this.#stream) room = this.#stream.send(message);
    else if (answer) this.#answers.push(answer);
    else room = this.#upgrade().send(message);
    this.#finishWhenAnswered();
    return room;
  }

  /** A request that gets no answer: it was cancelled. */
  drop(id: RpcId): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0 && this.#answers.length === 0) this.#upgrade();
    this.#finishWhenAnswered();
  }

  /** The session ends: nobody will answer. */
  close(): void {
    if (this.#over) return;
    this.#finish();
    if (this.#stream) this.#stream.end(Date.now());
    else if (!this.#res.headersSent) this.#res.destroy();
  }

  /** The client came back for the stream. */
  resumed(): void {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = undefined;
  }

  /** The connection of the stream is gone; the call goes on for a while. */
  readonly vanished = (): void => {
    if (this.#over || this.#graceTimer) return;
    this.#graceTimer = setTimeout(() => {
      const ids = [...this.#pending];
      this.close();
      this.#session.abandon(ids);
    }, this.#session.grace);
    this.#graceTimer.unref();
  };

  readonly #onClose = () => {
    if (!this.#stream && !this.#res.writableFinished) this.vanished();
  };

  #upgrade(): EventStream {
    clearTimeout(this.#upgradeTimer);
    if (this.#stream) return this.#stream;
    const stream = this.#session.openStream(this);
    this.#stream = stream;
    if (!this.#res.destroyed) {
      const connection: SseConnection = new SseConnection(this.#res, {
        headers: this.#session.headers,
        maxUnread: this.#session.maxUnread,
        onDrain: () => stream.drained(),
        onClose: () => stream.detach(connection) && this.vanished(),
      });
      stream.attach(connection);
      if (this.#session.primes) stream.prime();
    }
    for (const answer of this.#answers.splice(0)) stream.send(answer);
    return stream;
  }

  #finishWhenAnswered(): void {
    if (this.#over || this.#pending.size > 0) return;
    this.#finish();
    if (this.#stream) this.#stream.end(Date.now());
    else sendJson(this.#res, 200, this.#batch ? this.#answers : this.#answers[0], this.#session.headers);
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#upgradeTimer);
    clearTimeout(this.#graceTimer);
    this.#session.finished(this);
  }
}
