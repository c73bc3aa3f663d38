import { type Effect, type Operation, scoped } from 'effection';
import { begin, stand } from './begin.ts';
import { ContextHere, Here, Wait } from './wait.ts';

/**
 * As Effection's `scoped`, for an operation that may have no task: for as long as it only waits, there is nothing that a scope of its
 * own would have to clean up. The first effect of another kind opens one.
 */
export function* inOwnScope<T>(op: () => Operation<T>): Operation<T> {
  const begun = begin(op);
  if (begun.done) {
    if (begun.result.ok) return begun.result.value;
    throw begun.result.error;
  }
  const { steps, made } = begun.take();
  let step = made;
  let standing = false;
  try {
    while (!step.done) {
      const { value: effect } = step;
      const left = stand(steps, step);
      if (!isWaiting(effect)) return yield* scoped(() => left.rest);
      standing = true;
      let given: unknown;
      let failed = false;
      try {
        given = yield effect;
      } catch (error) {
        failed = true;
        given = error;
      }
      standing = false;
      step = failed ? thrownAt(steps, given) : steps.next(given);
    }
    return step.value;
  } finally {
    // Halted where it stood.
    if (standing) yield* stand(steps, step).close;
  }
}

function isWaiting(effect: Effect<unknown>): boolean {
  return effect instanceof Wait || effect instanceof Here || effect instanceof ContextHere;
}

function thrownAt<T>(
  steps: Iterator<Effect<unknown>, T, unknown>,
  error: unknown,
): IteratorResult<Effect<unknown>, T> {
  if (steps.throw) return steps.throw(error);
  throw error;
}
