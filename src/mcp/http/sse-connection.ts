import type { ServerResponse } from 'node:http';
import { Unread } from './unread.ts';

/** What a stream of server-sent events needs to know. */
export interface SseOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** With more bytes than this that wait for the client it is full; dropped when it stays so for a minute. */
  readonly maxUnread: number;
  /** Told each time when the client has read everything. */
  onDrain?(): void;
  /** Told once when the connection is gone, whoever closed it. */
  onClose?(): void;
}

const KEEP_ALIVE = 15_000;

/** A client that is full for so many beats in a row does not read. */
const PATIENCE = 4;

/** One open stream of server-sent events. */
export class SseConnection {
  readonly #res: ServerResponse;
  readonly #unread: Unread;
  readonly #keepAlive: NodeJS.Timeout;
  #open = true;
  #fullBeats = 0;
  #wrote = false;

  constructor(res: ServerResponse, options: SseOptions) {
    this.#res = res;
    this.#unread = new Unread(res, options.maxUnread);
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    });
    // Together with the first event where there is one already: one write the fewer is 8 % of a question.
    process.nextTick(() => {
      if (!this.#wrote && this.#open) res.flushHeaders();
    });
    // A comment now and then keeps proxies and idle timers from cutting a stream on which a person thinks.
    this.#keepAlive = setInterval(() => this.#beat(), KEEP_ALIVE);
    this.#keepAlive.unref();
    res.on('error', () => {});
    res.on('drain', () => options.onDrain?.());
    res.on('close', () => {
      clearInterval(this.#keepAlive);
      this.#open = false;
      options.onClose?.();
    });
  }

  /** Writes one event. One without an id is none that a stream could be continued after. */
  event(id: string | undefined, data: string, retry?: number): void {
    const named = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`${retry === undefined ? '' : `retry: ${retry}\n`}${named}data: ${data}\n\n`);
  }

  /** Whether the client has to read before it is sent more. */
  get full(): boolean {
    return this.#unread.full;
  }

  /** Whether the client reads so slowly that what can be left out should be. */
  get congested(): boolean {
    return this.#unread.congested;
  }

  /** Resolves when that is over, or the connection is. */
  room(): Promise<void> {
    return this.#unread.room();
  }

  /** Ends the stream once everything is written. */
  end(): void {
    if (this.#open) this.#res.end();
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#res.destroy();
  }

  /** Cuts the connection of a client who has not read for long. */
  #beat(): void {
    this.#fullBeats = this.full ? this.#fullBeats + 1 : 0;
    if (this.#fullBeats >= PATIENCE) this.#res.destroy();
    else if (!this.full) this.#write(': keepalive\n\n');
  }

  #write(text: string): void {
    if (!this.#open || this.#res.destroyed) return;
    this.#wrote = true;
    this.#res.write(text);
  }
}
