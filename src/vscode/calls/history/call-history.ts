import { type Operation, run, until } from 'effection';
import type { CallStore, CallSummary } from '../../../runtime/journal/call-store.ts';
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
  /** Calls that have not ended. */
  ongoing(): Operation<readonly CallSummary[]>;
  /** Keeps a call that is over; `others` may have kept it already. Says what became of it. */
  keep(call: KeptCall, record: CallRecord, others?: () => Operation<Finished>): Operation<Finished>;
  /** Where calls are kept. */
  store(): Operation<CallStore>;
  /** All that happened in a call; nothing when it has been thrown away meanwhile. */
  read(call: KeptCall): Operation<CallRecord | undefined>;
  /** Waits for what is being written. */
  written(): Operation<void>;
  forget(callIds: ReadonlySet<string>): Operation<void>;
  clear(): Operation<void>;
}

/** What became of a call that was kept while it lasted: `nothing` of it is there, and it is to be kept whole. */
export type Finished = 'written' | 'dropped' | 'nothing';

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
  const pending = new Set<Promise<unknown>>();
  let known: readonly KeptCall[] = [];
  const change = (calls: readonly KeptCall[]) => {
    known = [...calls].sort((one, other) => other.startedAt - one.startedAt).slice(0, mostListed);
    for (const listener of [...listeners]) listener();
  };
  const has = (callId: string) => known.some((one) => one.callId === callId);

  return {
    list: () => known,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    *load() {
      const ended = yield* (yield* kept()).list(mostListed);
      const isSame = ended.length === known.length && ended.every(({ callId }) => has(callId));
      // A list that is drawn anew loses the click that is just made.
      if (!isSame) change(ended);
    },
    *ongoing() {
      return yield* (yield* kept()).ongoing();
    },
    *keep(call, record, others) {
      if (!enabled() && !others) return 'dropped';
      const store = yield* kept();
      // Half a record would be a call that never ends: whoever is halted meanwhile lets it be written.
      const writing = run(function* (): Operation<Finished> {
        const finished = others ? yield* others() : 'nothing';
        if (finished !== 'nothing') return finished;
        if (!enabled()) return 'dropped';
        yield* store.keep(call, record);
        return 'written';
      });
      pending.add(writing);
      const done = () => void pending.delete(writing);
      writing.then(done, done);
      const finished = yield* until(writing);
      if (finished !== 'dropped') change([call, ...known]);
      return finished;
    },
    *store() {
      return (yield* kept()).store;
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
