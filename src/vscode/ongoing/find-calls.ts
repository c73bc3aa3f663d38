import type { Operation } from 'effection';
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
  const found: FoundCall[] = [];
  const elsewhere = new Set<string>();
  // The oldest first, as they were begun: lists show the newest on top.
  for (const summary of [...summaries].reverse()) {
    if (summary.ended || !decodeOngoing(summary)) continue;
    const { name } = summary;
    try {
      // One that a newer Parley began waits until that is back.
      if (isNewerJournal(summary.header)) {
        elsewhere.add(name.callId);
        continue;
      }
      const outcome = summary.held ? ({ type: 'held' } as const) : yield* store.claim(name);
      if (outcome.type === 'held') elsewhere.add(name.callId);
      if (outcome.type !== 'claimed') continue;
      const { claim } = outcome;
      const stored = yield* store.read(name);
      if (stored) found.push({ claim, stored, ...(yield* eventsOf(store, name, onProblem)) });
    } catch (error) {
      // One that cannot be read harms no other.
      onProblem(error);
    }
  }
  return { found, elsewhere };
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
