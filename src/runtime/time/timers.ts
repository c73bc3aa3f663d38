import { ensure, type Scope, suspend, type Task } from 'effection';
import type { Clock, StopTimer } from '../../core/world/clock.ts';
import type { TimeSource } from './machine-clock.ts';

/** What is set for the earliest timer. */
interface Alarm {
  readonly until: number;
  readonly stop: StopTimer;
}

/** The task that sleeps, for a clock that cannot call back. */
interface Sleep {
  task?: Task<void>;
  /** Its code runs. */
  begun: boolean;
  wanted: boolean;
}

interface Timer {
  readonly until: number;
  readonly fire: () => void;
  stopped: boolean;
}

/** So many stopped timers may be left in, beside as many as run. */
const STOPPED = 64;

/**
 * A clock's time, with timers that live in a scope. However many there are, one alarm is set, for the earliest: a
 * thousand branches with time limits cost no thousand tasks, and on the machine's own clock no task at all.
 */
export class Timers implements TimeSource {
  readonly #scope: Scope;
  readonly #clock: Clock;
  /** By time, the earliest last; stopped ones are left in until they come up, or are most of them. */
  #timers: Timer[] = [];
  #running = 0;
  /** A task is about to be made. */
  #arming = false;
  #alarm: Alarm | undefined;
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
    const timer: Timer = { until: this.ticks() + milliseconds, fire, stopped: false };
    this.#timers.splice(this.#placeOf(timer.until), 0, timer);
    this.#running += 1;
    // Most are stopped at once: for those there is no task.
    if (!this.#arming) queueMicrotask(this.#armed);
    this.#arming = true;
    return () => this.#stop(timer);
  }

  readonly #armed = (): void => {
    this.#arming = false;
    this.#arm();
  };

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
    if (--this.#running > 0) {
      // What they would have called is held no longer: of a call that is over, all of it.
      if (this.#timers.length > 2 * this.#running + STOPPED) this.#timers = this.#timers.filter(isRunning);
      return;
    }
    this.#timers = [];
    // Most calls come one after the other, each with the same time limit: the alarm of one does for the next.
    if (this.#alarm?.stop.stays) this.#alarm.stop.stays(false);
    else this.#disarm();
  }

  #arm(): void {
    const first = this.#timers.at(-1);
    if (!first) return;
    if (this.#alarm && this.#alarm.until <= first.until) {
      this.#alarm.stop.stays?.(true);
      return;
    }
    this.#disarm();
    const wait = first.until - this.ticks();
    const stop = this.#clock.startTimer ? this.#startTimer(wait) : this.#startSleep(wait);
    this.#alarm = { until: first.until, stop };
  }

  #disarm(): void {
    this.#alarm?.stop();
    this.#alarm = undefined;
  }

  readonly #ring = (): void => {
    this.#alarm = undefined;
    const now = this.ticks();
    for (let next = this.#timers.at(-1); next && next.until <= now; next = this.#timers.at(-1)) {
      this.#timers.pop();
      if (next.stopped) continue;
      next.stopped = true;
      this.#running -= 1;
      next.fire();
    }
    this.#arm();
  };

  #startTimer(wait: number): StopTimer {
    // It ends with the scope, as a task would: one task does that for all of them.
    if (!this.#held) this.#scope.run(() => this.#hold()).catch(() => {});
    this.#held = true;
    return this.#clock.startTimer?.(wait, this.#ring) ?? (() => {});
  }

  *#hold() {
    yield* ensure(() => {
      this.#timers = [];
      this.#disarm();
    });
    yield* suspend();
  }

  #startSleep(wait: number): () => void {
    const sleep: Sleep = { begun: false, wanted: true };
    sleep.task = this.#scope.run(() => this.#sleep(sleep, wait));
    return () => {
      sleep.wanted = false;
      // A task that is halted before its first step stays in its scope for good: that one ends by itself.
      if (sleep.begun) sleep.task?.halt().catch(() => {});
    };
  }

  *#sleep(sleep: Sleep, wait: number) {
    sleep.begun = true;
    if (!sleep.wanted) return;
    yield* this.#clock.sleep(wait);
    this.#ring();
  }
}

function isRunning({ stopped }: Timer): boolean {
  return !stopped;
}
