/**
 * Whether somebody still waits for the answer to a request. Most are answered before anybody asks: nothing is made of it until then.
 */
export class AwaitedRequest {
  #isOver = false;
  #reason: unknown;
  /** Who wants to hear of that. */
  #listener: (() => void) | undefined;
  #aborting: AbortController | undefined;

  /** Nobody waits any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Aborts then. */
  get signal(): AbortSignal {
    this.#aborting ??= new AbortController();
    if (this.#isOver) this.#aborting.abort(this.#reason);
    return this.#aborting.signal;
  }

  /** Calls back at once or once, then. Returns what stops it. */
  onEnd(listener: () => void): () => void {
    this.#listener = listener;
    if (this.#isOver) listener();
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  /** Nobody waits for it from here on; false when that was known. */
  end(reason?: unknown): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#reason = reason;
    this.#aborting?.abort(reason);
    this.#listener?.();
    return true;
  }
}
