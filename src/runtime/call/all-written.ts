import { type Operation, race, until, withResolvers } from 'effection';
import type { Call } from './call.ts';
import type { CallKeeper } from './call-options.ts';

/** What happened before is still written, but nobody waits longer for that than for cleanup. */
export function* allWritten(
  calls: readonly Call[],
  { scope, time, cleanupGrace }: CallKeeper<Call>,
): Operation<void> {
  const patience = withResolvers<void>('patience with what keeps calls');
  const stop = time.startTimer(cleanupGrace, patience.resolve);
  const all = scope.run(function* () {
    for (const call of calls) yield* call.history.flushed();
  });
  yield* race([until(Promise.resolve(all)), patience.operation]);
  stop();
}
