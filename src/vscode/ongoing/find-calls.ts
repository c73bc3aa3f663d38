import { all, type Operation } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { CallName, CallStore, CallSummary } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import { decodeOngoing } from '../history/kept-call.ts';
import type { FoundCall } from './ongoing-call.ts';

/** What became of the calls that have not ended. */
export interface FoundCalls {
  /** This window has them now. */
  readonly found: readonly FoundCall[];
  /** Those that somebody else has, by their ids. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Takes up the calls of earlier windows that have not ended: each belongs to the window that comes first. */
export function* findCalls(
  store: CallStore,
  summaries: readonly CallSummary[],
  onProblem: (error: unknown) => void = () => {},
): Operation<FoundCalls> {
  const elsewhere = new Set<string>();
  const look = function* (summary: CallSummary): Operation<FoundCall | undefined> {
    if (summary.ended || !decodeOngoing(summary)) return undefined;
    const { name, held, header } = summary;
    try {
      // One that a newer Parley began waits until that is back.
      const outcome = held || isNewerJournal(header) ? ({ type: 'held' } as const) : yield* store.claim(name);
      if (outcome.type === 'held') elsewhere.add(name.callId);
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
