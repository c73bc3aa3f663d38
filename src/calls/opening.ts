import { type Operation, race, sleep, withResolvers } from 'effection';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { CallName, ClaimOutcome } from '../runtime/journal/call-store.ts';
import type { JournalHeader } from '../runtime/journal/lines.ts';
import { ClaimedCall } from '../runtime/manager/claimed-call.ts';
import type { Session } from '../runtime/session/session.ts';
import { BUSY, CallLease, LONG_HELD } from './lease.ts';
import { LeaseLines, ShownLines } from './lease-lines.ts';
import type { CallLeases } from './leases.ts';
import {
  type CallMessage,
  type CallNote,
  type CallSnapshot,
  callNoted,
  callNoteIn,
  inboxed,
  nameOfCall,
} from './messages.ts';
import { type CallAttachment, type CallBeginning, CallRefused, type CallsParts } from './port.ts';
import { isOverFor, isPast, openedBy } from './rounds.ts';
import { keptNote, keptSnapshot, recordSnapshot } from './snapshots.ts';

/** Between two looks at a call that somebody else holds, milliseconds, at most. */
const LATER = 1_000;

/** Makes leases: of calls that begin, and of calls that are kept. */
export class CallOpening {
  readonly #parts: CallsParts;
  readonly #leases: CallLeases;

  constructor(parts: CallsParts, leases: CallLeases) {
    this.#parts = parts;
    this.#leases = leases;
  }

  /** A new call, and the lease of it. */
  *begin(beginning: CallBeginning, { bound, digest }: Omit<CallMessage, 'id'>): Operation<CallLease> {
    const { store, staying, shown } = this.#parts;
    const { hand, movable, takesUp } = beginning;
    const taken = takesUp && (yield* this.#interrupted(takesUp, beginning));
    if (taken) return taken;
    const note: CallNote =
      bound === undefined ? { asks: [] } : { bound, round: '', opened: digest, asks: [] };
    const lines = movable && store && !hand && !staying ? new LeaseLines() : undefined;
    // Who has a round of it comes back to this process.
    const isForNext = movable && !lines && !hand && bound === undefined && shown?.interrupted;
    let shownLines = isForNext ? new ShownLines() : undefined;
    const keep = function* (header: JournalHeader) {
      // Only the same code may go on with it, and of some nobody knows which it is.
      if (header.code === undefined) shownLines = undefined;
      if (!lines || !store) return shownLines;
      const { principal, conversation, callId } = header;
      const name = { principal, conversation, callId };
      const begins = { name, header: header as JsonObject, notes: callNoted(note) };
      lines.held = new ClaimedCall(store, begins, 0, { late: true });
      return lines;
    };
    try {
      const inMemory = shownLines ? { retain: true, keep } : { retain: true };
      const session = yield* beginning.create(
        lines ? { keep } : hand && movable ? { carried: true } : inMemory,
      );
      const pinned = !lines && !(hand && movable);
      const name = nameOfCall(session);
      const known = this.#leases.of(name);
      // Somebody may be attached to it already who is told of each call.
      if (known?.session === session) {
        known.note = { ...known.note, ...note };
        return known;
      }
      return this.#leases.add(
        new CallLease({ name, session, note, lines, shownLines, pinned, staying: staying?.of(session) }),
      );
    } catch (error) {
      yield* lines?.held?.release() ?? [];
      throw error;
    }
  }

  /** The lease of a call that a dead process has left; nothing without a store. One that cannot go on is kept: its steps are not done again. */
  *#interrupted(
    { claim, call }: NonNullable<CallBeginning['takesUp']>,
    { resume }: CallAttachment,
  ): Operation<CallLease | undefined> {
    const store = yield* this.#parts.shown?.store() ?? [];
    if (!store) return undefined;
    const { name } = claim;
    const shownLines = new ShownLines();
    shownLines.held = new ClaimedCall(store, claim, call.lineCount);
    try {
      const { header, lines } = call;
      const session = yield* resume({ journal: { header, lines }, sink: shownLines });
      const inbox = call.inbox > 0 ? yield* store.take(claim) : [];
      const note = { asks: session.openAsks() };
      const at = behindQuestions(session);
      return this.#leases.add(new CallLease({ name, session, note, shownLines, pinned: true, at, inbox }));
    } catch (error) {
      yield* shownLines.held.release();
      throw error;
    }
  }

  /** The lease of a call, with what a message opens written on it; or how the call stands, where that is all that comes of it. */
  *open(
    name: CallName,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease | CallSnapshot> {
    const { staying } = this.#parts;
    const store = staying ? undefined : this.#parts.store;
    if (attachment.hand?.brought) return yield* this.#fromHand(name, attachment, message);
    for (let pause = BUSY; ; pause = Math.min(2 * pause, LATER)) {
      const lease = yield* this.found(name);
      if (lease?.isHere) return this.#here(lease, message);
      const outcome = store && (yield* store.claim(name));
      if (!outcome || outcome.type === 'unknown') throw new CallRefused('unknown');
      if (outcome.type === 'claimed') return yield* this.#claimed(outcome, attachment, message);
      // Who has it may be past this round.
      const kept = yield* store.read(name);
      if (kept && isPast(kept, message)) return keptSnapshot(kept);
      const isElsewhere = attachment.staysHere && kept && callNoteIn(kept.notes)?.pinned;
      if (isElsewhere) throw new CallRefused('unknown');
      if (attachment.isGone?.()) throw new CallRefused('closed');
      // Most give it back in a moment. Who does not takes the message there.
      if (message && pause > LONG_HELD)
        yield* store.leave(name, inboxed(message, attachment.client.capabilities()));
      yield* this.#toldOf(name, pause);
    }
  }

  *#toldOf(name: CallName, pause: number): Operation<void> {
    const { operation, resolve } = withResolvers<void>('a look at a call');
    const stop = this.#parts.store?.watch?.(name, resolve);
    try {
      yield* race([operation, sleep(pause)]);
    } finally {
      stop?.();
    }
  }

  #here(lease: CallLease, message: CallMessage | undefined): CallLease | CallSnapshot {
    const { manager } = this.#parts;
    const { name, session, pinned } = lease;
    const isGone = pinned && manager.get(name) !== session;
    if (isGone || (pinned && lease.expires <= Date.now())) {
      if (isGone || !lease.staying) this.#leases.drop(lease);
      throw new CallRefused('unknown');
    }
    if (isOverFor(lease.note, message)) return recordSnapshot(lease);
    lease.note = openedBy(lease.note, message);
    return lease;
  }

  *#claimed(
    { claim, call }: Extract<ClaimOutcome, { type: 'claimed' }>,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease | CallSnapshot> {
    const { store } = this.#parts;
    if (!store) throw new CallRefused('unknown');
    const { name } = claim;
    const { header, lines: kept, lineCount, notes } = call;
    let held = new ClaimedCall(store, claim, lineCount);
    const over = keptNote({ ...call, held: false });
    if (over?.end && !callNoteIn(notes)?.end) {
      // The process that had it alone is dead. From here on everybody reads that.
      yield* held.leave({ notes: callNoted(over), ended: true });
      isOverFor(over, message);
      return keptSnapshot({ ...call, notes: callNoted(over) });
    }
    try {
      if (isPast(call, message)) {
        yield* held.release();
        return keptSnapshot(call);
      }
      const note = openedBy(callNoteIn(notes) ?? { asks: [] }, message);
      const first = { notes: callNoted(note), due: null };
      held = new ClaimedCall(store, claim, lineCount, { late: true, first });
      const inbox = call.inbox > 0 ? yield* store.take(claim) : [];
      const standing = this.#standing(name, lineCount, attachment);
      const lines = standing?.lines ?? new LeaseLines();
      lines.held = held;
      if (standing) standing.cached?.goOn();
      const session =
        standing?.session ?? (yield* attachment.resume({ journal: { header, lines: kept }, sink: lines }));
      const at = standing?.at ?? behindQuestions(session);
      return this.#leases.add(new CallLease({ name, session, note, lines, at, inbox }));
    } catch (error) {
      yield* held.release();
      throw error;
    }
  }

  /** What was left standing here, where nothing has come into the call since. */
  #standing(name: CallName, lineCount: number, { stands }: CallAttachment): CallLease | undefined {
    const lease = this.#leases.of(name);
    if (!lease?.cached || lease.lines?.held?.lineCount !== lineCount) return undefined;
    return !stands || stands(lease.session) ? lease : undefined;
  }

  *#fromHand(
    name: CallName,
    { hand, resume }: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease> {
    const { journal, ...kept } = Object(hand?.brought) as { journal?: JsonValue } & Pick<
      CallNote,
      'early' | 'rounds'
    >;
    const session = yield* resume({ journal });
    const asks = session.openAsks();
    const opened = message && { bound: message.bound, round: message.id, opened: message.digest };
    const note = { ...kept, ...opened, asks } as CallNote;
    const at = behindQuestions(session);
    return this.#leases.add(new CallLease({ name, session, note, at, inHand: true }));
  }

  /** The lease of a call that is here: of one that others have begun, too, where all that the manager runs are calls. */
  *found(name: CallName): Operation<CallLease | undefined> {
    const { manager, store, staying } = this.#parts;
    const known = this.#leases.of(name);
    if (known || (store && !staying)) return known;
    const session = manager.get(name) ?? (yield* staying?.takeUp(name) ?? []);
    const here = this.#leases.of(name);
    if (!session || here) return here;
    const kept = staying?.of(session);
    const note = kept?.note ?? { asks: [] };
    const at = kept?.note ? behindQuestions(session) : 0;
    return this.#leases.add(new CallLease({ name, session, note, staying: kept, pinned: true, at }));
  }
}

/** Where those go on who come back: behind the questions that they know. */
function behindQuestions(session: Session): number {
  return session.events().findLast((event) => 'ask' in event)?.at ?? 0;
}
