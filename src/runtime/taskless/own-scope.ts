import { type Effect, type Operation, scoped } from 'effection';
import { type CallIterator, stand } from './begin.ts';
import { ContextHere, Here, Wait } from './wait.ts';

/**
 * As Effection's `scoped`, for an operation that may have no task: for as long as it only waits, there is nothing that a scope of its
 * own would have to clean up. The first effect of another kind opens one.
 */
export function inOwnScope<T>(op: () => Operation<T>): Operation<T> {
  return { [Symbol.iterator]: () => new OwnScope(op) };
}

/** No generator: one that is halted while its cleanup waits lets whoever called it go on. */
class OwnScope<T> implements Iterator<Effect<unknown>, T, unknown> {
  readonly #op: () => Operation<T>;
  #steps: CallIterator<T> | undefined;
  #hasScope = false;

  constructor(op: () => Operation<T>) {
    this.#op = op;
  }

  next(given: unknown): IteratorResult<Effect<unknown>, T> {
    this.#steps ??= this.#op()[Symbol.iterator]();
    return this.#within(this.#steps, this.#steps.next(given));
  }

  throw(error: unknown): IteratorResult<Effect<unknown>, T> {
    if (!this.#steps?.throw) throw error;
    return this.#within(this.#steps, this.#steps.throw(error));
  }

  return(value: unknown): IteratorResult<Effect<unknown>, T> {
    if (!this.#steps?.return) return { done: true, value: value as T };
    return this.#within(this.#steps, this.#steps.return(value as T));
  }

  #within(
    steps: CallIterator<T>,
    step: IteratorResult<Effect<unknown>, T>,
  ): IteratorResult<Effect<unknown>, T> {
    if (step.done || this.#hasScope || isWaiting(step.value)) return step;
    this.#hasScope = true;
    const left = stand<T>(steps, step);
    this.#steps = scoped(() => left.rest)[Symbol.iterator]();
    return this.#steps.next(undefined);
  }
}

function isWaiting(effect: Effect<unknown>): boolean {
  return effect instanceof Wait || effect instanceof Here || effect instanceof ContextHere;
}
