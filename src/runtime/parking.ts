import type { TimeSource } from './machine-clock.ts';

/**
 * Things that wait for somebody to come back, each for the same time at most. One timer serves them all: it is set for
 * whoever waits longest, and looks again when it fires.
 */
export class Parking<T> {
  readonly #time: TimeSource;
  readonly #ttl: number;
  readonly #expire: (item: T) => void;
  readonly #since = new Map<T, number>();
  #armed = false;

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
    if (!waits) this.#since.delete(item);
    else if (!this.#since.has(item)) {
      this.#since.set(item, this.#time.now());
      this.#arm();
    }
  }

  #arm(): void {
    if (this.#armed || this.#ttl === Number.POSITIVE_INFINITY) return;
    const [first] = this.#since.values();
    if (first === undefined) return;
    this.#armed = true;
    this.#time.startTimer(Math.max(0, first + this.#ttl - this.#time.now()), () => {
      this.#armed = false;
      const now = this.#time.now();
      for (const [item, since] of this.#since) {
        if (since + this.#ttl > now) break;
        this.#since.delete(item);
        this.#expire(item);
      }
      this.#arm();
    });
  }
}
