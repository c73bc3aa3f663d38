import type { Operation } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import type { CallStore, CallSummary, Claim, EventAppend } from '../../../runtime/journal/call-store.ts';
import { ifJson } from '../../log/if-json.ts';
import {
  type CallRecord,
  decodeCall,
  decodeEvents,
  decodeParams,
  encodeCall,
  type KeptCall,
} from './kept-call.ts';

/** Calls in a store, as a history has them. */
export interface KeptCalls {
  /** Where they are. */
  readonly store: CallStore;
  /** The newest of them that have ended. */
  list(limit: number): Operation<readonly KeptCall[]>;
  /** Calls that have not ended. */
  ongoing(): Operation<readonly CallSummary[]>;
  keep(call: KeptCall, record: CallRecord): Operation<void>;
  /** All that happened in a call; nothing when it has been thrown away. */
  read(call: KeptCall): Operation<CallRecord | undefined>;
  forget(call: KeptCall): Operation<void>;
  clear(): Operation<void>;
}

/** More than there are. */
const mostKept = 1_000;

/** How many calls are looked at in one go. */
const page = 100;

/** How long a call is kept that has ended, milliseconds: 30 days. One that waits is kept for as long as it waits. */
export const KEPT_FOR = 30 * 86_400_000;

/**
 * @param version of this Parley
 * @param now milliseconds since the epoch
 */
export function createKeptCalls(store: CallStore, version: string, now = Date.now): KeptCalls {
  const nameOf = ({ principal, callId }: KeptCall) => ({ principal, conversation: '', callId });
  return {
    store,
    *list(limit) {
      const all = yield* store.list({ ended: true, limit: mostKept });
      const isOld = ({ touched }: CallSummary) => touched + KEPT_FOR <= now();
      yield* forgetAll(store, all.filter(isOld));
      const kept = all.filter((summary) => !isOld(summary)).slice(0, limit);
      return kept.flatMap((summary) => decodeCall(summary) ?? []);
    },
    *ongoing() {
      return yield* store.list({ ended: false, limit: mostKept });
    },
    *keep(call, record) {
      const claim = yield* store.begin(encodeCall(call, record.params, version));
      const events = record.events().flatMap((event) => ifJson(event) ?? []);
      try {
        yield* appendWhatFits(store, claim, { events });
      } catch (error) {
        yield* store.release(claim);
        throw error;
      }
      yield* store.release(claim);
    },
    *read(call) {
      const stored = yield* store.read(nameOf(call));
      if (!stored) return undefined;
      const events = decodeEvents(yield* store.readEvents(nameOf(call)), call);
      const { callId, principal, toolName, startedAt } = call;
      const params = decodeParams(stored.header);
      return { id: callId, principal, toolName, startedAt, params, events: () => events };
    },
    *forget(call) {
      yield* store.forget(nameOf(call));
    },
    *clear() {
      for (;;) {
        const found = yield* store.list({ ended: true, limit: page });
        for (const { name } of found) yield* store.forget(name);
        if (found.length < page) return;
      }
    },
  };
}

/**
 * Writes the events of a call, without its end where that is more than is kept of one: who reads it then says so. False when there is
 * room for none of them.
 */
export function* appendWhatFits(store: CallStore, claim: Claim, what: EventAppend): Operation<boolean> {
  for (const events of [what.events, what.events.slice(0, -1)]) {
    try {
      yield* store.appendEvents(claim, { ...what, events });
      return true;
    } catch (error) {
      if (!isParleyError(error, 'STORE_FULL')) throw error;
    }
  }
  return false;
}

/** Throws calls away. What cannot be is tried again with the next list. */
function* forgetAll(store: CallStore, calls: readonly CallSummary[]): Operation<void> {
  try {
    for (const { name } of calls) yield* store.forget(name);
  } catch {
    // Its disk may be one that can only be read.
  }
}
