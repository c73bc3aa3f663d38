import type { TimeSource } from '../time/machine-clock.ts';

/**
 * Things that wait for somebody to come back, each for the same time at most. One timer serves them all: it is set for
 * whoever waits longest, and looks again when it fires.
 */
export class Expiring<T> {
  readonly #time: TimeSource;
  readonly #ttl: number;
  readonly #expire: (item: T) => void;
  readonly #since = new Map<T, number>();
  #stopTimer: (() => void) | undefined;
  #closed = false;

  constructor(time: TimeSource, ttl: number, expire: (item: T) => void) {
    this.#time = time;
    this.#ttl = ttl;
    this.#expire = expire;
  }

  /** How many wait. */
  get size(): number {
    return this.#since.size;
  }

  /** Begins or ends the wait; one that goes on is left alone. */
  set(item: T, waits: boolean): void {
    if (!waits) {
      if (this.#since.delete(item) && this.#since.size === 0) this.#disarm();
    } else if (!this.#closed && !this.#since.has(item)) {
      this.#since.set(item, this.#time.ticks());
      if (!this.#stopTimer) this.#arm();
    }
  }

  /** Stops counting the time of all that are waiting, and of those to come; ends none of them. */
  close(): void {
    this.#closed = true;
    this.#since.clear();
    this.#disarm();
  }

  #arm(): void {
    this.#disarm();
    const [first] = this.#since.values();
    if (first === undefined || this.#ttl === Number.POSITIVE_INFINITY) return;
    this.#stopTimer = this.#time.startTimer(Math.max(0, first + this.#ttl - this.#time.ticks()), () => {
      this.#stopTimer = undefined;
      this.#expireOld();
      this.#arm();
    });
  }

  #disarm(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #expireOld(): void {
    const now = this.#time.ticks();
    for (const [item, since] of this.#since) {
      if (since + this.#ttl > now) return;
      this.#since.delete(item);
      this.#expire(item);
    }
  }
}
