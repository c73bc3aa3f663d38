import { type Operation, race, sleep } from 'effection';

/** What a view says when it is first asked for its rows. */
export interface FirstAnswer {
  /** It is on its way. The editor drops it when the view says meanwhile that it has changed, and asks anew: it will tell all there is. */
  readonly isAwaited: boolean;
  /** Waits until there is something to tell; not at all once it has been told. */
  ready(): Operation<void>;
}

/**
 * A view that says at first that it has no rows is asked again only when other extensions that start have had their long turns. So
 * it waits until `known` says what there is, but `patience` milliseconds at most.
 */
export function createFirstAnswer(known: () => Operation<void>, patience: number): FirstAnswer {
  let state: 'to come' | 'awaited' | 'given' = 'to come';
  return {
    get isAwaited() {
      return state === 'awaited';
    },
    *ready() {
      if (state === 'given') return;
      state = 'awaited';
      try {
        yield* race([known(), sleep(patience)]);
      } finally {
        state = 'given';
      }
    },
  };
}
