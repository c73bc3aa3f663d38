import { createQueue, type Operation, type Result, resource, scoped, spawn, withResolvers } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import { createUnderway } from './underway.ts';

/** Work that is asked for more often than it needs doing. */
export interface Coalesced<T> {
  /** Has the work done by a run that starts after this; waits for it. */
  run(): Operation<T>;
  /** The same without waiting. */
  request(): void;
  /** Returns when no run is under way, or asked for. */
  idle(): Operation<void>;
}

/** One run of `work` at a time; all that ask during a run share the next. A failed run is the askers' affair. */
export function useCoalesced<T>(work: () => Operation<T>): Operation<Coalesced<T>> {
  return resource(function* (provide) {
    const wake = createQueue<true, never>();
    let waiting: Array<(result: Result<T>) => void> = [];
    const under = createUnderway();

    const ask = (tell: (result: Result<T>) => void) => {
      waiting.push(tell);
      if (waiting.length > 1) return;
      under.begin();
      wake.add(true);
    };

    yield* spawn(function* () {
      for (;;) {
        yield* wake.next();
        const askers = waiting;
        waiting = [];
        const result = yield* attempt(work);
        for (const tell of askers) tell(result);
        under.end();
      }
    });

    yield* provide({
      *run() {
        const { operation, resolve, reject } = withResolvers<T>();
        ask((result) => (result.ok ? resolve(result.value) : reject(result.error)));
        return yield* operation;
      },
      request: () => ask(() => {}),
      idle: under.over,
    });
  });
}

function* attempt<T>(work: () => Operation<T>): Operation<Result<T>> {
  try {
    return { ok: true, value: yield* scoped(work) };
  } catch (error) {
    return { ok: false, error: toError(error) };
  }
}
