import { action, type Operation, suspend } from 'effection';
import { callContext } from './call-context.ts';

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
  /** Calls back after so many milliseconds, unless what it returns is called first. */
  startTimer(milliseconds: number, fire: () => void): () => void;
}

/** Timers of JavaScript fire at once for a longer time than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock of the machine. A process stays for its timers, unless they are to keep none. */
export function machineClock({ keepsProcess = true } = {}): Clock {
  const startTimer: Clock['startTimer'] = (milliseconds, fire) => {
    let timer: ReturnType<typeof setTimeout>;
    const start = (left: number): void => {
      const rest = left - LONGEST_TIMER;
      timer = rest > 0 ? setTimeout(() => start(rest), LONGEST_TIMER) : setTimeout(fire, Math.max(0, left));
      // Of browsers it is a number.
      if (!keepsProcess && typeof timer === 'object') timer.unref();
    };
    start(milliseconds);
    return () => clearTimeout(timer);
  };
  return {
    now: () => Date.now(),
    ticks: () => Math.floor(performance.now()),
    *sleep(milliseconds) {
      if (milliseconds === Number.POSITIVE_INFINITY) yield* suspend();
      yield* action<void>((resolve) => startTimer(milliseconds, resolve), `sleep(${milliseconds})`);
    },
    startTimer,
  };
}

/**
 * The clock that Parley and tools go by. The machine's own unless a test sets another.
 *
 * @example
 * const clock = yield* useClock();
 * yield* clock.sleep(250);
 */
export const ClockContext = callContext<Clock>('parley.clock', machineClock());

/** The clock of this scope: real time, or what a test has set in {@link ClockContext}. */
export function* useClock(): Operation<Clock> {
  return yield* ClockContext.expect();
}
