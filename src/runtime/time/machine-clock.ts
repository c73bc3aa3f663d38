/** What a machine clock runs on. */
export interface TimeSource {
  now(): number;
  /** Goes by evenly: for how long something takes. */
  ticks(): number;
  /** Calls back after so many milliseconds, unless what it returns is called first. */
  startTimer(milliseconds: number, fire: () => void): () => void;
}

/**
 * Counts machine time: it stands still while anything pauses it, and pauses nest. With a limit it fires once when
 * the limit is used up; without one it never sets a timer.
 */
export class MachineClock {
  readonly #time: TimeSource;
  readonly #limit: number | undefined;
  readonly #expire: () => void;
  #used = 0;
  #since: number;
  #pauses = 0;
  #stopTimer: (() => void) | undefined;
  #closed = false;

  constructor(time: TimeSource, limit?: number, expire: () => void = () => {}) {
    this.#time = time;
    this.#limit = limit;
    this.#expire = expire;
    this.#since = time.ticks();
    this.#arm();
  }

  /** Milliseconds it has run, pauses left out. */
  elapsed(): number {
    return this.#runs ? this.#used + this.#time.ticks() - this.#since : this.#used;
  }

  pause(): void {
    if (this.#runs) this.#halt();
    this.#pauses += 1;
  }

  resume(): void {
    this.#pauses -= 1;
    if (!this.#runs) return;
    this.#since = this.#time.ticks();
    this.#arm();
  }

  /** Sets how long it has run. One that has run longer than it may fires at once. */
  restore(used: number): void {
    if (this.#closed) return;
    const ran = this.#runs;
    if (ran) this.#halt();
    this.#used = used;
    if (this.#limit !== undefined && used >= this.#limit) {
      this.close();
      this.#expire();
    } else if (ran) {
      this.#since = this.#time.ticks();
      this.#arm();
    }
  }

  /** Stops for good. */
  close(): void {
    if (this.#closed) return;
    if (this.#runs) this.#halt();
    this.#closed = true;
  }

  get #runs(): boolean {
    return this.#pauses === 0 && !this.#closed;
  }

  #halt(): void {
    this.#used += this.#time.ticks() - this.#since;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #arm(): void {
    if (this.#limit === undefined || !this.#runs) return;
    this.#stopTimer = this.#time.startTimer(Math.max(0, this.#limit - this.#used), () => {
      this.#stopTimer = undefined;
      this.close();
      this.#expire();
    });
  }
}
