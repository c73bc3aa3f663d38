import type { Operation } from 'effection';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { entryOf } from '../commands/entry-of.ts';
import type { CallDesk } from '../desk.ts';
import type { Lazy } from '../lazy.ts';
import type { CallHistory } from './call-history.ts';

/** The call that a command is about: one of this window, or one that is kept, which then has a panel again. */
export type FindCall = (argument: unknown) => Operation<CallEntry | undefined>;

/** Finds calls among those of the window, then in the history. */
export function createCallFinder(calls: CallList, history: CallHistory, desk: Lazy<CallDesk>): FindCall {
  return function* (argument) {
    const entry = entryOf(calls, argument);
    if (entry) return entry;
    const callId =
      typeof argument === 'object' && argument !== null && 'callId' in argument ? argument.callId : argument;
    const kept = history.list().find((call) => call.callId === callId);
    const record = kept && (yield* history.read(kept));
    return record && (yield* desk()).revive(kept, record);
  };
}
