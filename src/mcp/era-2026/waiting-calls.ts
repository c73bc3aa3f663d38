import type { Operation } from 'effection';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { KeptEarly } from './call-home.ts';

/** What is to be known of a call that waits for its client, beside the call itself. */
export interface WaitingNote extends KeptEarly {
  /** Which of its states opens the next leg. */
  readonly round: number;
}

/**
 * Keeps calls that wait for a 2026-era client beyond this process, for whoever runs them with a `manager` that keeps their journals
 * itself.
 */
export interface WaitingCalls {
  /** Signs states: the same in the process to come. */
  readonly key: Uint8Array;
  /** Writes down what a call waits with, before its client hears of it; nothing when it waits no more. It never throws. */
  keep(session: Session, note: WaitingNote | undefined): Operation<void>;
  /** A call that waited in an earlier process, taken up; nothing for one that is not there or cannot go on. */
  find(name: CallName): Operation<{ readonly session: Session; readonly note: WaitingNote } | undefined>;
}
