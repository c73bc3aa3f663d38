import { type Operation, run, until } from 'effection';
import type { CallRecord, KeptCall } from './kept-call.ts';
import type { KeptCalls } from './kept-calls.ts';

/** Calls that are over, beyond the window they ran in. */
export interface CallHistory {
  /** What is known to be kept, newest first. */
  list(): readonly KeptCall[];
  /** Calls back when {@link list} has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  /** Reads the list. */
  load(): Operation<void>;
  keep(call: KeptCall, record: CallRecord): Operation<void>;
  /** All that happened in a call; nothing when it has been thrown away meanwhile. */
  read(call: KeptCall): Operation<CallRecord | undefined>;
  /** Waits for what is being written. */
  written(): Operation<void>;
  forget(callIds: ReadonlySet<string>): Operation<void>;
  clear(): Operation<void>;
}

/** What a history works with. */
export interface CallHistoryParts {
  /** Where the calls are: loaded with its first use, for it comes with schemas and files. */
  kept(): Operation<KeptCalls>;
  /** Whether calls are to be kept; read each time. */
  enabled(): boolean;
}

/** Calls that a list shows; older ones are kept until their time has come. */
const mostListed = 100;

/** A history of which nothing is known yet. */
export function createCallHistory({ kept, enabled }: CallHistoryParts): CallHistory {
  const listeners = new Set<() => void>();
  const pending = new Set<Promise<void>>();
  let known: readonly KeptCall[] = [];
  const change = (calls: readonly KeptCall[]) => {
    known = [...calls].sort((one, other) => other.startedAt - one.startedAt).slice(0, mostListed);
    for (const listener of [...listeners]) listener();
  };

  return {
    list: () => known,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    *load() {
      change(yield* (yield* kept()).list(mostListed));
    },
    *keep(call, record) {
      if (!enabled()) return;
      const store = yield* kept();
      // Half a record would be a call that never ends: whoever is halted meanwhile lets it be written.
      const writing = run(() => store.keep(call, record));
      pending.add(writing);
      const done = () => void pending.delete(writing);
      writing.then(done, done);
      yield* until(writing);
      change([call, ...known]);
    },
    *read(call) {
      const record = yield* (yield* kept()).read(call);
      if (!record) change(known.filter((one) => one !== call));
      return record;
    },
    *written() {
      yield* until(Promise.allSettled(pending));
    },
    *forget(callIds) {
      for (const call of known.filter(({ callId }) => callIds.has(callId))) {
        yield* (yield* kept()).forget(call);
      }
      change(known.filter(({ callId }) => !callIds.has(callId)));
    },
    *clear() {
      yield* (yield* kept()).clear();
      change([]);
    },
  };
}
