import { type CallEntry, isAsking } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';

/** Calls that wait for an answer, the oldest first. */
export function waitingCalls(calls: Pick<CallList, 'list'>): readonly CallEntry[] {
  return calls.list().filter(isAsking).reverse();
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
