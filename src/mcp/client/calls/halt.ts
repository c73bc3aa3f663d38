/** Says to a request that nobody wants it any more. Most are answered before: it makes a signal for those who read one. */
export class Halt {
  #controller: AbortController | undefined;
  #listener: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  /** For who takes a signal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Calls back when it is halted, or at once when it was. The last listener counts. */
  onHalt(listener: (reason: Error) => void): void {
    this.#listener = listener;
    if (this.#reason) listener(this.#reason);
  }

  halt(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }
}
