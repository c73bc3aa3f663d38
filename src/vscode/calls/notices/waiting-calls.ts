import { type CallEntry, isAsking } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';

/** Calls that wait for an answer, the oldest first: those of this window, and those that run in its folders. */
export function waitingCalls(calls: Pick<CallList, 'list'>): readonly CallEntry[] {
  const isNear = (entry: CallEntry) => entry.waiting()?.place?.isOfWindow !== false;
  return calls
    .list()
    .filter((entry) => isAsking(entry) && isNear(entry))
    .reverse();
}

/** Those whose question nobody sees. */
export function waitingUnseen(calls: Pick<CallList, 'list'>): readonly CallEntry[] {
  return waitingCalls(calls).filter(({ panel }) => !panel.visible);
}

/** Those to lead the person to: whose question nobody sees, or all where each is seen. The oldest first. */
export function waitingNext(calls: Pick<CallList, 'list'>): readonly CallEntry[] {
  const unseen = waitingUnseen(calls);
  return unseen.length > 0 ? unseen : waitingCalls(calls);
}
