import { action, type Operation } from 'effection';
import type { TimeSource } from './machine-clock.ts';

/** The longest time between two looks at the clock, milliseconds. */
const LOOK = 30_000;

/**
 * Waits until a time of the clock. Timers stand still while the machine sleeps, and the time goes on: it is over soon after the machine
 * is awake again. Where the time is set back, it takes as long as it would have.
 *
 * @param due milliseconds since the epoch
 */
export function* untilDue(time: TimeSource, due: number): Operation<void> {
  const end = time.ticks() + due - time.now();
  for (let left = end - time.ticks(); left > 0 && time.now() < due; left = end - time.ticks()) {
    const piece = Math.min(left, LOOK);
    yield* action<void>((resolve) => time.startTimer(piece, resolve), `sleep until ${due}`);
  }
}
