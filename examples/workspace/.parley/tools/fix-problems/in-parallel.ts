import { all, type Operation } from 'effection';

/** Runs `work` for each item, so many at a time, and gives the results in the order of the items. */
export function* inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, at: number) => Operation<R>,
): Operation<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  function* worker(): Operation<void> {
    for (const [at, item] of queue) results[at] = yield* work(item, at);
  }
  yield* all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
