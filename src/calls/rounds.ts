import type { StoredCall } from '../runtime/journal/call-store.ts';
import { isNewerJournal } from '../runtime/journal/lines.ts';
import type { Ask } from '../runtime/session/ask.ts';
import type { CallLease } from './lease.ts';
import { type CallMessage, type CallNote, judge } from './messages.ts';
import { CallRefused } from './port.ts';
import { earlyOf, isExpired, keptNote } from './snapshots.ts';

/** How a call stands for one who comes with a message: whether that is all, or it goes on. @throws `CallRefused` */
export function isOverFor(note: CallNote, message: CallMessage | undefined): boolean {
  if (isExpired(note)) throw new CallRefused('unknown');
  if (!message) return note.end !== undefined;
  const judged = judge(note, message);
  if (judged !== 'new' && judged !== 'again') throw new CallRefused(judged);
  return judged === 'again';
}

export function isPast(call: StoredCall, message: CallMessage | undefined): boolean {
  if (isNewerJournal(call.header)) throw new CallRefused('newer');
  return isOverFor(keptNote(call) ?? { asks: [] }, message);
}

/** A message opens the round. */
export function openedBy(note: CallNote, message: CallMessage | undefined): CallNote {
  return message?.bound === undefined ? note : { ...note, opened: message.digest };
}

/** The round that a message has opened is over; the first had no name. */
export function closedBy(note: CallNote, message: CallMessage | undefined, rewinds = 0): CallNote {
  const { round: _, opened: __, seen: ___, rewinds: ____, ...rest } = note;
  const closed = message?.id ? { closed: { id: message.id, digest: message.digest } } : {};
  return { ...rest, ...closed, ...(rewinds > 0 && { rewinds }) };
}

/** Whether a call has gone back since its client was answered last; then nothing counts that is early. */
export function hasGoneBack(lease: CallLease): boolean {
  const { note, session } = lease;
  const rewinds = session.rewinds();
  if (rewinds === (note.rewinds ?? 0)) return false;
  earlyOf(lease).clear();
  // Who comes back by rounds hears of it with the next.
  if (note.bound === undefined) lease.note = { ...note, rewinds };
  return true;
}

export function attemptsOf(asks: readonly Ask[]): NonNullable<CallNote['seen']> {
  return Object.fromEntries(asks.map(({ id, attempt }) => [id, attempt]));
}
