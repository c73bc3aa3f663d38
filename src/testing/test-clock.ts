import { action, type Operation } from 'effection';
import type { Clock } from '../core/world/clock.ts';

/** A clock that a test moves by hand. */
export interface TestClock extends Clock {
  /** Moves time on and wakes, in order, all that sleep until then. */
  advance(milliseconds: number): void;
  /** How many sleep: 0 when everything has been cleaned up. */
  sleeping(): number;
}

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/**
 * Makes a clock for tests. It stands still until `advance`.
 *
 * @example
 * const clock = createTestClock();
 * yield* ClockContext.set(clock);
 * clock.advance(60_000);
 */
export function createTestClock(start = 0): TestClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const next = (until: number): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.until <= until && (first === undefined || sleeper.until < first.until)) first = sleeper;
    }
    return first;
  };
  const startTimer = (milliseconds: number, wake: () => void) => {
    const sleeper = { until: now + Math.max(0, milliseconds), wake };
    sleepers.add(sleeper);
    return () => void sleepers.delete(sleeper);
  };
  return {
    now: () => now,
    startTimer,
    sleep: (milliseconds): Operation<void> =>
      action((resolve) => startTimer(milliseconds, resolve), `sleep(${milliseconds})`),
    advance(milliseconds) {
      const until = now + milliseconds;
      for (let sleeper = next(until); sleeper; sleeper = next(until)) {
        now = Math.max(now, sleeper.until);
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      now = until;
    },
    sleeping: () => sleepers.size,
  };
}
