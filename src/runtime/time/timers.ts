import { ensure, type Scope, suspend } from 'effection';
import type { Clock } from '../../core/world/clock.ts';
import type { TimeSource } from './machine-clock.ts';

/** A clock's time, with timers that end with a scope. */
export class Timers implements TimeSource {
  readonly #scope: Scope;
  readonly #clock: Clock;
  readonly #running = new Set<() => void>();
  #held = false;

  constructor(scope: Scope, clock: Clock) {
    this.#scope = scope;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  ticks(): number {
    return this.#clock.ticks?.() ?? this.#clock.now();
  }

  /** Calls back after so many milliseconds, unless what it returns is called first. */
  startTimer(milliseconds: number, fire: () => void): () => void {
    if (!this.#held) this.#scope.run(() => this.#hold()).catch(() => {});
    this.#held = true;
    const stop = this.#clock.startTimer(milliseconds, () => {
      this.#running.delete(stop);
      fire();
    });
    this.#running.add(stop);
    return () => {
      this.#running.delete(stop);
      stop();
    };
  }

  *#hold() {
    yield* ensure(() => {
      for (const stop of this.#running) stop();
    });
    yield* suspend();
  }
}
