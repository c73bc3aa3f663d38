import type { Operation } from 'effection';

/** What a verb of a context gave has it: a helper says with it that the operation is its own, and what tells it from others. */
export const MADE_BY = Symbol.for('parley.madeBy');

/**
 * What a helper gives that asks through a verb of a context: it has called the verb before, so that the call knows of a helper which never
 * ran as it knows of a verb.
 */
export function helper<T, R>(
  name: string,
  about: unknown,
  asked: Operation<T> & { [MADE_BY]?(helper: string, about: unknown): void },
  read: (given: T) => R,
): Operation<R> {
  asked[MADE_BY]?.(name, about);
  return {
    *[Symbol.iterator]() {
      return read(yield* asked);
    },
  };
}
