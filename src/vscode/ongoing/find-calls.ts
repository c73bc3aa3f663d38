import type { Operation } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import {
  type CallName,
  type CallStore,
  type CallSummary,
  CLAIM_TTL,
} from '../../runtime/journal/call-store.ts';
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

/** Who looks for calls. */
export interface Finder {
  /** Which of the windows on a folder this is. */
  readonly window?: number | undefined;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
  /** Hears of calls that cannot be read. */
  onProblem?(error: unknown): void;
}

/**
 * Takes up the calls of earlier windows that have not ended: each belongs to one window. While the window that had it is away no longer
 * than a claim lasts, it may be loading again: until then no other window takes it.
 */
export function* findCalls(
  store: CallStore,
  summaries: readonly CallSummary[],
  { window, now = Date.now, onProblem = () => {} }: Finder = {},
): Operation<FoundCalls> {
  const found: FoundCall[] = [];
  const elsewhere = new Set<string>();
  // The oldest first, as they were begun: lists show the newest on top.
  for (const summary of [...summaries].reverse()) {
    const note = summary.ended ? undefined : decodeOngoing(summary);
    if (!note) continue;
    const { name, touched } = summary;
    const isLoading = (note.window ?? window) !== window && touched + CLAIM_TTL > now();
    try {
      // One that a newer Parley began waits until that is back.
      if (isLoading || isNewerJournal(summary.header)) {
        elsewhere.add(name.callId);
        continue;
      }
      const outcome = summary.held ? ({ type: 'held' } as const) : yield* store.claim(name);
      if (outcome.type === 'held') elsewhere.add(name.callId);
      if (outcome.type !== 'claimed') continue;
      const { claim, call: stored } = outcome;
      found.push({ claim, stored, ...(yield* eventsOf(store, name, onProblem)) });
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
