import { type Operation, sleep, suspend } from 'effection';
import { callContext } from './call-context.ts';

/** Stops a timer. */
export interface StopTimer {
  (): void;
  /** Says whether the process stays for the timer, as it does at first. For a timer that is kept for the next one to want it. */
  stays?(wanted: boolean): void;
}

/** Time, in milliseconds. Tests hand in one that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits; for ever when `milliseconds` is `Infinity`. */
  sleep(milliseconds: number): Operation<void>;
  /**
   * Milliseconds that go by evenly, from any beginning: how long something takes does not change when the system's time is set, or while the
   * machine sleeps. `now` where there is none.
   */
  ticks?(): number;
  /** Calls back after so many milliseconds, unless what it returns is called first. For a clock whose timers cost less than a sleep. */
  startTimer?(milliseconds: number, fire: () => void): StopTimer;
}

/** Timers of JavaScript fire at once for a longer time than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

const realClock: Clock = {
  now: () => Date.now(),
  ticks: () => Math.floor(performance.now()),
  *sleep(milliseconds) {
    if (milliseconds === Number.POSITIVE_INFINITY) yield* suspend();
    let left = milliseconds;
    for (; left > LONGEST_TIMER; left -= LONGEST_TIMER) yield* sleep(LONGEST_TIMER);
    yield* sleep(Math.max(0, left));
  },
  startTimer(milliseconds, fire) {
    let timer: NodeJS.Timeout;
    let isWanted = true;
    const start = (left: number): void => {
      const rest = left - LONGEST_TIMER;
      timer = rest > 0 ? setTimeout(() => start(rest), LONGEST_TIMER) : setTimeout(fire, Math.max(0, left));
      if (!isWanted) timer.unref();
    };
    start(milliseconds);
    const stays = (wanted: boolean) => {
      isWanted = wanted;
      if (wanted) timer.ref();
      else timer.unref();
    };
    return Object.assign(() => clearTimeout(timer), { stays });
  },
};

/**
 * The clock that Parley and tools go by. The machine's own unless a test sets another.
 *
 * @example
 * const clock = yield* useClock();
 * yield* clock.sleep(250);
 */
export const ClockContext = callContext<Clock>('parley.clock', realClock);

/** The clock of this scope: real time, or what a test has set in {@link ClockContext}. */
export function* useClock(): Operation<Clock> {
  return yield* ClockContext.expect();
}
