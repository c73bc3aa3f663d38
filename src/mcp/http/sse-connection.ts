import type { ServerResponse } from 'node:http';

/** What a client was sent and has not read, of one answer that is a stream. */
class Unread {
  readonly #res: ServerResponse;
  readonly #most: number;
  #room: Promise<void> | undefined;

  /** @param most bytes that may wait for a client who does not read */
  constructor(res: ServerResponse, most: number) {
    this.#res = res;
    this.#most = most;
  }

  /** Whether the client has to read before it is sent more. One large event says nothing about how fast it reads. */
  get full(): boolean {
    return this.#res.writableLength > this.#most;
  }

  /** Whether the client reads so slowly that what can wait, or be left out, should. */
  get congested(): boolean {
    return this.#res.writableLength > this.#most / 4;
  }

  /** Resolves when it is not congested any more, or the connection is gone. One wait for all that wait meanwhile. */
  room(): Promise<void> {
    const res = this.#res;
    // A little that waits is not told of when it is read.
    if (!this.congested || !res.writableNeedDrain) return Promise.resolve();
    this.#room ??= new Promise<void>((resolve) => {
      const done = () => {
        res.off('drain', done).off('close', done);
        this.#room = undefined;
        resolve();
      };
      res.on('drain', done).on('close', done);
    });
    return this.#room;
  }
}

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
