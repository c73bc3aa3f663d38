import type { ServerResponse } from 'node:http';

/** What a stream of server-sent events needs to know. */
export interface SseOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Most bytes that may wait for a client who does not read; then the connection is dropped. */
  readonly maxUnread: number;
  /** Told once when the connection is gone, whoever closed it. */
  onClose(): void;
}

const KEEP_ALIVE = 15_000;

/** One open stream of server-sent events. */
export class SseConnection {
  readonly #res: ServerResponse;
  readonly #maxUnread: number;
  readonly #keepAlive: NodeJS.Timeout;
  #open = true;

  constructor(res: ServerResponse, options: SseOptions) {
    this.#res = res;
    this.#maxUnread = options.maxUnread;
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    });
    res.flushHeaders();
    // A comment now and then keeps proxies and idle timers from cutting a stream on which a person thinks.
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE);
    this.#keepAlive.unref();
    res.on('error', () => {});
    res.on('close', () => {
      clearInterval(this.#keepAlive);
      this.#open = false;
      options.onClose();
    });
  }

  /** Writes one event. */
  event(id: string, data: string, retry?: number): void {
    this.#write(`${retry === undefined ? '' : `retry: ${retry}\n`}id: ${id}\ndata: ${data}\n\n`);
  }

  /** Whether the client reads so slowly that what can be left out should be. */
  get congested(): boolean {
    return this.#res.writableLength > this.#maxUnread / 4;
  }

  /** Ends the stream once everything is written. */
  end(): void {
    if (this.#open) this.#res.end();
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#res.destroy();
  }

  #write(text: string): void {
    if (!this.#open || this.#res.destroyed) return;
    this.#res.write(text);
    if (this.#res.writableLength > this.#maxUnread) this.#res.destroy();
  }
}
