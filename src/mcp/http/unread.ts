import type { ServerResponse } from 'node:http';

/** What a client was sent and has not read, of one answer that is a stream. */
export class Unread {
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
