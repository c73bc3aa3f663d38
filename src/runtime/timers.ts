import type { Scope } from 'effection';
import type { Clock } from '../core/clock.ts';
import type { TimeSource } from './machine-clock.ts';

/** A clock's time, with timers that live in a scope. */
export function timeIn(scope: Scope, clock: Clock): TimeSource {
  return {
    now: () => clock.now(),
    startTimer(milliseconds, fire) {
      // From now on, not from when the task gets its turn.
      const until = clock.now() + milliseconds;
      let stopped = false;
      const timer = scope.run(function* () {
        yield* clock.sleep(until - clock.now());
        if (!stopped) fire();
      });
      return () => {
        stopped = true;
        timer.halt().catch(() => {});
      };
    },
  };
}
