import type { Operation } from 'effection';
import type { CallStore } from '../../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../../runtime/journal/lines.ts';
import { HeldCall } from '../../../runtime/manager/held-call.ts';
import { claimed } from '../../stored/claimed.ts';
import type { TakenSession } from './kept-session.ts';
import { type CallNote, noteIn, recordIn, recordOf } from './notes.ts';

/** A session that was another process's, and what its client may not have heard yet. */
export interface TakenOver extends TakenSession {
  /** Calls that have ended since its client was last here. */
  readonly ended: readonly (CallNote & { readonly result: NonNullable<CallNote['result']> })[];
}

/** Ids of sessions are ours: anything else is in no store. */
const OURS = /^[\da-f-]{36}$/;

/**
 * Takes over the session of a process that is gone.
 *
 * @param since calls that ended before are over, for their client, too; milliseconds since the epoch
 * @returns `held` while another process has it, or has to have it; `undefined` for one that is not kept
 */
export function* takeOver(
  store: CallStore,
  principal: string,
  sessionId: string,
  since: number,
): Operation<TakenOver | 'held' | undefined> {
  if (!OURS.test(sessionId)) return undefined;
  const name = recordOf(principal, sessionId);
  const facts = recordIn((yield* store.read(name))?.header);
  if (!facts) return undefined;
  const claim = yield* claimed(store, name);
  if (!claim) return 'held';
  const record = new HeldCall(store, claim, 0);
  try {
    const calls = new Map<string, CallNote>();
    const ended = [];
    for (const callId of Object.keys((yield* store.read(name))?.notes ?? {})) {
      const kept = yield* store.read({ principal, conversation: sessionId, callId });
      // What it asked and was given is for a newer Parley to read: its client is told to come again, until it comes there.
      if (isNewerJournal(kept?.header)) {
        yield* record.release();
        return 'held';
      }
      const note = kept && noteIn(kept.notes);
      if (!note || (kept.ended && kept.touched < since)) continue;
      const { result } = note;
      if (result) ended.push({ ...note, result });
      else if (!kept.ended) calls.set(callId, note);
    }
    return { facts, record, calls, ended };
  } catch (error) {
    yield* record.release();
    throw error;
  }
}
