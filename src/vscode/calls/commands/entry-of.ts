import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';

/** The call that a command is about: trees pass their element, others may pass an entry's id or a callId. */
export function entryOf(calls: CallList, argument: unknown): CallEntry | undefined {
  const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : argument;
  if (typeof id !== 'string') return undefined;
  return calls.get(id) ?? calls.list().find((entry) => entry.record()?.id === id);
}
