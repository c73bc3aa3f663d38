/** Counts the time that code runs, turn by turn, and says when it is used up. */
export class Deadline {
  readonly #limit: number;
  #spent = 0;
  #since = 0;
  #end = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  start(): void {
    this.#since = performance.now();
    this.#end = this.#since + this.#limit - this.#spent;
  }

  /** @returns whether the time is used up */
  stop(): boolean {
    this.#spent += performance.now() - this.#since;
    return this.#spent >= this.#limit;
  }

  get passed(): boolean {
    return performance.now() > this.#end;
  }

  /** Milliseconds. */
  get spent(): number {
    return this.#spent;
  }
}
