import { type Operation, race, type Subscription, sleep } from 'effection';

/** How long a burst of changes may be quiet before it counts as over, and how long it may last at most. */
export interface SettleTimes {
  readonly quiet: number;
  readonly most: number;
}

/**
 * Waits for the next change and for the burst that it begins to be over: a save is several events, a checkout hundreds.
 * The changes of the burst, or nothing when there will be no more. `begun` hears when the burst begins.
 */
export function* settle<T>(
  changes: Subscription<T, unknown>,
  { quiet, most }: SettleTimes,
  begun: () => void = () => {},
): Operation<readonly T[] | undefined> {
  const first = yield* changes.next();
  if (first.done) return undefined;
  begun();
  const burst = [first.value];
  const end = performance.now() + most;
  for (;;) {
    const wait = Math.min(quiet, end - performance.now());
    if (wait <= 0) return burst;
    const next = yield* race([changes.next(), sleep(wait)]);
    if (!next || next.done) return burst;
    burst.push(next.value);
  }
}
