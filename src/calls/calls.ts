import type { Operation } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import { isNewerJournal } from '../runtime/journal/lines.ts';
import type { Session } from '../runtime/session/session.ts';
import { CallAttaching } from './attaching.ts';
import { CallDriving } from './driving.ts';
import { CallEnding } from './ending.ts';
import { CallInbox } from './inbox.ts';
import { CallJoining } from './joining.ts';
import { CallKeeping } from './keeping.ts';
import { CallLease } from './lease.ts';
import { CallLeases } from './leases.ts';
import { type CallMessage, type CallSnapshot, callNoteIn, inboxed, judge } from './messages.ts';
import { CallOpening } from './opening.ts';
import type { CallAttachment, CallBeginning, CallQuery, Calls, CallsParts, Sent, Until } from './port.ts';
import { isExpired, keptNote, keptSnapshot, liveSnapshot, recordSnapshot } from './snapshots.ts';

/** Makes the calls of a process. */
export function createCalls(parts: CallsParts): Calls {
  return new ProcessCalls(parts);
}

class ProcessCalls implements Calls {
  readonly #parts: CallsParts;
  readonly #leases: CallLeases;
  readonly #joining = new CallJoining();
  readonly #opening: CallOpening;
  readonly #ending: CallEnding;
  readonly #inbox: CallInbox;
  readonly #keeping: CallKeeping;
  readonly #attaching: CallAttaching;

  constructor(parts: CallsParts) {
    const leases = new CallLeases(parts);
    const ending = new CallEnding(parts, leases);
    const inbox = new CallInbox(parts, ending, (...how) => this.attach(...how));
    const keeping = new CallKeeping(parts, leases, inbox);
    const driving = new CallDriving(parts, leases, ending);
    this.#parts = parts;
    this.#leases = leases;
    this.#opening = new CallOpening(parts, leases);
    this.#ending = ending;
    this.#inbox = inbox;
    this.#keeping = keeping;
    this.#attaching = new CallAttaching(parts, { leases, inbox, keeping, driving, ending });
  }

  *start(
    beginning: CallBeginning,
    message: Omit<CallMessage, 'id'>,
    until: Until = 'blocked',
  ): Operation<CallSnapshot> {
    const lease = yield* this.#opening.begin(beginning, message);
    return yield* this.#attaching.run(lease, beginning, until, { id: '', ...message }, true);
  }

  *attach(
    name: CallName,
    attachment: CallAttachment,
    until: Until,
    message?: CallMessage,
  ): Operation<CallSnapshot> {
    return yield* this.#joining.together(name, attachment, message, () =>
      this.#attached(name, attachment, until, message),
    );
  }

  *send(name: CallName, message: CallMessage): Operation<Sent> {
    const { store } = this.#parts;
    const lease = yield* this.#opening.found(name);
    if (lease?.isHere) {
      // What it came to counts from here on, though it may not be written yet.
      const end = lease.note.end ?? lease.session.ended();
      const judged = isExpired(lease.note)
        ? 'unknown'
        : judge({ ...lease.note, ...(end && { end }) }, message);
      if (judged !== 'new') return judged;
      try {
        yield* this.#inbox.take(lease, message);
        yield* this.#keeping.write(lease);
        return 'left';
      } catch (error) {
        if (!isParleyError(error, 'CLAIM_LOST')) throw error;
        yield* this.#keeping.lost(lease);
      }
    }
    const kept = yield* store?.read(name) ?? [];
    const note = kept && keptNote(kept);
    if (!store || !note || isExpired(note)) return 'unknown';
    const judged = judge(note, message);
    if (judged !== 'new') return judged;
    // What a newer Parley has is not written to here.
    const { stop } = message;
    if (stop !== undefined && !isNewerJournal(kept.header))
      return yield* this.#ending.stop(name, { ...message, stop });
    return yield* store.leave(name, inboxed(message));
  }

  *get(name: CallName): Operation<CallSnapshot | undefined> {
    const lease = this.#leases.of(name);
    if (lease && isExpired(lease.note)) return undefined;
    if (lease?.isHere) return liveSnapshot(lease);
    // As it is being written.
    if (lease?.leaving) return recordSnapshot(lease);
    const kept = yield* this.#parts.store?.read(name) ?? [];
    const note = kept && callNoteIn(kept.notes);
    return note && !isExpired(note) ? keptSnapshot(kept) : undefined;
  }

  watch(name: CallName, look: () => void): () => void {
    return this.#leases.watch(name, look);
  }

  *list(query: CallQuery = {}): Operation<readonly CallSnapshot[]> {
    const { principal, ended, limit = 100 } = query;
    const here = this.#leases.all().filter((lease) => lease.isHere && !isExpired(lease.note));
    const live = here
      .filter(({ name }) => principal === undefined || name.principal === principal)
      .map(liveSnapshot)
      .filter(({ end }) => ended === undefined || ended === (end !== undefined));
    const known = new Set(here.map(({ name }) => callKey(name)));
    const kept = yield* this.#parts.store?.list(query) ?? [];
    const others = (kept ?? []).filter(({ name, notes }) => {
      const note = callNoteIn(notes);
      return note && !isExpired(note) && !known.has(callKey(name));
    });
    return [...live, ...others.map(keptSnapshot)].slice(0, limit);
  }

  abandon(principal: string): readonly Session[] {
    // Who is attached leaves by itself; but for the pages of a call that waits for its client.
    const isLeft = ({ attached, note }: CallLease) =>
      attached === 0 || (note.round && note.opened === undefined);
    const gone = this.#leases.all().filter((lease) => lease.name.principal === principal && isLeft(lease));
    for (const lease of gone) {
      if (lease.cached) lease.cached.drop();
      else if (lease.pinned && !lease.isLookedAt) this.#leases.drop(lease);
    }
    return gone
      .filter(({ pinned, isLookedAt, session }) => pinned && !isLookedAt && !session.ended())
      .map(({ session }) => session);
  }

  *#attached(
    name: CallName,
    attachment: CallAttachment,
    until: Until,
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const lease = yield* this.#opening.open(name, attachment, message);
    return lease instanceof CallLease ? yield* this.#attaching.run(lease, attachment, until, message) : lease;
  }
}
