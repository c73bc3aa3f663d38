import { all, type Operation } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import {
  type CallName,
  type CallStore,
  type CallSummary,
  CLAIM_TTL,
} from '../../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../../runtime/journal/lines.ts';
import { decodeOngoing, type OngoingNote } from '../history/kept-call.ts';
import type { FoundCall } from './ongoing-call.ts';

/** What became of the calls that have not ended. */
export interface FoundCalls {
  /** This window has them now. */
  readonly found: readonly FoundCall[];
  /** What is noted of those that somebody else has, by their ids. */
  readonly elsewhere: ReadonlyMap<string, OngoingNote>;
}

/** Who looks for calls. */
export interface Finder {
  /** Which of the windows on a folder this is. */
  readonly window?: number | undefined;
  /** Since when it is there, milliseconds since the epoch; it has just come when absent. */
  readonly here?: number;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
  /** Hears of calls that cannot be read. */
  onProblem?(error: unknown): void;
}

/** Takes up the calls of earlier windows that have not ended, each where the window that had it does not come back. */
export function* findCalls(
  store: CallStore,
  summaries: readonly CallSummary[],
  finder: Finder = {},
): Operation<FoundCalls> {
  const { onProblem = () => {} } = finder;
  const elsewhere = new Map<string, OngoingNote>();
  const look = function* (summary: CallSummary): Operation<FoundCall | undefined> {
    const note = summary.ended ? undefined : decodeOngoing(summary);
    if (!note) return undefined;
    const { name, held, header } = summary;
    try {
      // One that a newer Parley began waits until that is back.
      const isLeft = held || isNewerJournal(header) || comesBack(summary, note, finder);
      const outcome = isLeft ? ({ type: 'held' } as const) : yield* store.claim(name);
      if (outcome.type === 'held') elsewhere.set(name.callId, note);
      if (outcome.type !== 'claimed') return undefined;
      const { claim, call: stored } = outcome;
      return { claim, stored, ...(yield* eventsOf(store, name, onProblem)) };
    } catch (error) {
      // One that cannot be read harms no other.
      onProblem(error);
      return undefined;
    }
  };
  // The oldest first, as they were begun: lists show the newest on top. All at once: while the editor starts, each turn is long.
  const looked = yield* all([...summaries].reverse().map(look));
  return { found: looked.filter((one) => one !== undefined), elsewhere };
}

/**
 * Whether the window that had a call may be loading again: it is waited for as long as a claim lasts. One with a higher number that was
 * gone before this one came is not: VS Code gives the lowest that is free, so that this window may be it.
 */
function comesBack(
  { touched }: CallSummary,
  note: Pick<OngoingNote, 'window'>,
  { window, now = Date.now, here = now() }: Finder,
): boolean {
  const away = now() - touched;
  // A clock that was set back says nothing of how long it has been away.
  if (away < 0 || away >= CLAIM_TTL) return false;
  // Windows without a folder cannot be told apart: what was given back since this one came, another one had.
  if (window === undefined || note.window === undefined) return touched > here;
  return note.window < window || (note.window > window && touched > here);
}

/** The events of a call. Where they are damaged it goes on without them: its journal has all that counts. */
function* eventsOf(
  store: CallStore,
  name: CallName,
  onProblem: (error: unknown) => void,
): Operation<Pick<FoundCall, 'events' | 'eventsLost'>> {
  try {
    return { events: yield* store.readEvents(name) };
  } catch (error) {
    if (!isParleyError(error, 'STORE_DAMAGED')) throw error;
    onProblem(error);
    return { events: [], eventsLost: true };
  }
}
