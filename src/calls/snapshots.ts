import { defined } from '../core/schema/defined.ts';
import type { CallName, CallSummary } from '../runtime/journal/call-store.ts';
import { isNewerJournal, type JournalHeader } from '../runtime/journal/lines.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallLease } from './lease.ts';
import { type CallNote, type CallSnapshot, callNoteIn } from './messages.ts';

/** Whether nobody may look at it any more. */
export function isExpired({ until = Number.POSITIVE_INFINITY }: CallNote): boolean {
  return until < Date.now();
}

/** How a call ends that is stopped. */
export function abortedBy(reason: string): EndEvent {
  return { type: 'aborted', reason, at: 0, time: Date.now() };
}

/** What it said last, and when. */
export function saidBy(
  session: Session,
  { message, updated }: CallNote,
): Pick<CallNote, 'message' | 'updated'> {
  const events = session.events();
  const said = events.findLast((event) => event.type === 'progress')?.message ?? message;
  return {
    ...(said !== undefined && { message: said }),
    updated: events.at(-1)?.time ?? updated ?? session.startedAt,
  };
}

/** Answers that wait for their questions. */
export function earlyOf(lease: CallLease): Map<string, unknown> {
  lease.early ??= new Map(lease.note.early);
  return lease.early;
}

/** A note, with what is not in it as long as somebody is attached. */
export function noteNow(lease: CallLease, note = lease.note): CallNote {
  const early = earlyOf(lease);
  const { early: _, ...rest } = note;
  return { ...rest, ...saidBy(lease.session, note), ...(early.size > 0 && { early: [...early] }) };
}

/** As the record has it. */
export function recordSnapshot({
  name,
  note,
  session,
  pinned,
}: Pick<CallLease, 'name' | 'note' | 'session' | 'pinned'>): CallSnapshot {
  return snapshot(name, note, {
    tool: session.toolName,
    began: session.startedAt,
    ...(pinned && { pinned }),
  });
}

/** As it is now. What it came to counts when it is written. */
export function liveSnapshot({ name, note, session, pinned }: CallLease): CallSnapshot {
  const end = note.end ?? (pinned ? session.ended() : undefined);
  const asks = session.openAsks().filter(({ id }) => session.awaitsAnswer(id));
  const now = { ...note, ...saidBy(session, note), asks, ...(end && { end }) };
  return recordSnapshot({ name, session, pinned, note: now });
}

/** The note of a call that a store has, as it stands: one that was in a process alone has ended with that. */
export function keptNote({ notes, held, touched }: CallSummary): CallNote | undefined {
  const note = callNoteIn(notes);
  if (!note?.pinned || note.end || held) return note;
  return { ...note, asks: [], end: { ...abortedBy('the process that ran it has ended'), time: touched } };
}

/** As a store has it. */
export function keptSnapshot(summary: CallSummary): CallSnapshot {
  const { name, header, held, inbox, due, ended } = summary;
  const { tool, began } = Object(header) as JournalHeader;
  const note = keptNote(summary) ?? { asks: [] };
  const isDue = inbox > 0 || (due === undefined ? note.asks.length === 0 : due <= Date.now());
  const isIdle = isDue && !held && !ended;
  const more = {
    ...(isIdle && { idle: true as const }),
    ...(isNewerJournal(header) && { newer: true as const }),
  };
  return snapshot(name, note, { tool, began, ...more });
}

function snapshot(
  name: CallName,
  { asks, round, rounds, end, message, updated, beside }: CallNote,
  about: Pick<CallSnapshot, 'tool' | 'began' | 'pinned' | 'idle' | 'newer'>,
): CallSnapshot {
  const said = { ...(message !== undefined && { message }), updated: end?.time ?? updated ?? about.began };
  const known = { name, ...about, ...said, ...(beside && { beside }) };
  if (end) return { ...known, status: 'ended', asks: [], end };
  return {
    ...known,
    status: asks.length > 0 ? 'waiting' : 'working',
    asks,
    ...(round && { round, ...defined({ rounds }) }),
  };
}
