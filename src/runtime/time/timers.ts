import type { Scope, Task } from 'effection';
import type { Clock } from '../../core/world/clock.ts';
import type { TimeSource } from './machine-clock.ts';

interface Timer {
  readonly until: number;
  readonly fire: () => void;
  stopped: boolean;
}

/**
 * A clock's time, with timers that live in a scope. However many there are, one task sleeps, for the earliest: a
 * thousand branches with time limits cost no thousand tasks.
 */
export class Timers implements TimeSource {
  readonly #scope: Scope;
  readonly #clock: Clock;
  /** By time, the earliest last; stopped ones are left in until they come up. */
  #timers: Timer[] = [];
  #running = 0;
  #sleep: { readonly until: number; readonly task: Task<void> } | undefined;

  constructor(scope: Scope, clock: Clock) {
    this.#scope = scope;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** Calls back after so many milliseconds, unless what it returns is called first. */
  startTimer(milliseconds: number, fire: () => void): () => void {
    const timer: Timer = { until: this.now() + milliseconds, fire, stopped: false };
    this.#timers.splice(this.#placeOf(timer.until), 0, timer);
    this.#running += 1;
    this.#arm();
    return () => this.#stop(timer);
  }

  #placeOf(until: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.until ?? 0) > until) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #stop(timer: Timer): void {
    if (timer.stopped) return;
    timer.stopped = true;
    if (--this.#running > 0) return;
    this.#timers = [];
    this.#disarm();
  }

  #arm(): void {
    const first = this.#timers.at(-1);
    if (!first || (this.#sleep && this.#sleep.until <= first.until)) return;
    this.#disarm();
    const { until } = first;
    const task = this.#scope.run(() => this.#sleepUntil(until));
    this.#sleep = { until, task };
  }

  #disarm(): void {
    this.#sleep?.task.halt().catch(() => {});
    this.#sleep = undefined;
  }

  *#sleepUntil(until: number) {
    yield* this.#clock.sleep(until - this.now());
    this.#sleep = undefined;
    const now = this.now();
    for (let next = this.#timers.at(-1); next && next.until <= now; next = this.#timers.at(-1)) {
      this.#timers.pop();
      if (next.stopped) continue;
      next.stopped = true;
      this.#running -= 1;
      next.fire();
    }
    this.#arm();
  }
}
