import { type Operation, sleep, withResolvers } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import { ClaimedCall } from '../runtime/manager/claimed-call.ts';
import { BUSY, type CallLease, LONG_HELD } from './lease.ts';
import type { CallLeases } from './leases.ts';
import { type CallMessage, type CallSnapshot, callNoted, callNoteIn, inboxed } from './messages.ts';
import { nextDue } from './next-due.ts';
import type { CallsParts, Sent } from './port.ts';
import { abortedBy, earlyOf, recordSnapshot, saidBy } from './snapshots.ts';

/** How calls end here, and how they are given back. */
export class CallEnding {
  readonly #parts: CallsParts;
  readonly #leases: CallLeases;

  constructor(parts: CallsParts, leases: CallLeases) {
    this.#parts = parts;
    this.#leases = leases;
  }

  /** The call is over. Whoever is attached comes here; one of them writes it down. */
  *end(lease: CallLease): Operation<CallSnapshot> {
    const end = lease.stopped ?? lease.session.ended();
    if (lease.ending) yield* lease.ending;
    else {
      const { operation, resolve, reject } = withResolvers<void>('the end of the call is written');
      lease.ending = operation;
      const { early: _, ...note } = lease.note;
      const said = lease.isLookedAt && saidBy(lease.session, note);
      lease.note = { ...note, ...said, asks: [], ...(end && { end }) };
      try {
        yield* this.#writeEnd(lease);
        resolve();
      } catch (error) {
        // Who has no round cannot come back for what it came to.
        const isTold =
          lease.note.bound === undefined && !lease.isAlone && !isParleyError(error, 'CLAIM_LOST');
        if (!isTold) {
          reject(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
        this.#parts.report('the end of a call could not be saved', error, 'state');
      } finally {
        resolve();
      }
    }
    return recordSnapshot(lease);
  }

  *#writeEnd(lease: CallLease): Operation<void> {
    const { held } = lease.lines ?? {};
    if (lease.pinned) {
      lease.stopKeeping?.();
      yield* lease.shown?.end(lease.note) ?? [];
      // Nobody has a name for it, or it is known as long as the manager knows it.
      if (lease.isLookedAt) this.#leases.tell(lease);
      else if (!lease.note.round) this.#leases.drop(lease);
      else this.#leases.know(lease);
      return;
    }
    this.#leases.remove(lease);
    if (held) {
      yield* held.ended();
      // It asked nothing, did no step, and nobody has a round of it: there is nothing to keep.
      if (held.isKept) yield* held.leave({ notes: callNoted(lease.note), taken: lease.taken, ended: true });
    }
    lease.isLeft = true;
    lease.stopKeeping?.();
    this.#leases.tell(lease);
  }

  /** The last one that was attached is gone, and has not left the call as it stands. */
  *giveBack(lease: CallLease, isBroken: boolean): Operation<void> {
    if (lease.pinned && !lease.outlives) return;
    const { manager } = this.#parts;
    const { name, session, shown } = lease;
    const { held } = lease.lines ?? {};
    // It does not end for those who see it elsewhere.
    lease.shown = undefined;
    this.#leases.remove(lease);
    lease.isLeft = true;
    const end = lease.stopped ?? session.ended();
    if (isBroken && end && !lease.cached) yield* held?.endedBadly() ?? [];
    const asks = session.openAsks();
    yield* manager.release(name);
    if (shown) {
      lease.stopKeeping?.();
      yield* shown.leave({ ...lease.note, early: [...earlyOf(lease)], asks });
    }
    if (!held) return;
    const { stopKeeping } = lease;
    try {
      const notes = callNoted({ ...lease.note, early: [...earlyOf(lease)], asks });
      // Its client has seen what it asks, unless that is for it to come back with.
      const isSeen = asks.length > 0 && lease.note.bound === undefined;
      if (!end && (held.isKept || isSeen))
        return yield* held.leave({ notes, taken: lease.taken, due: nextDue(session.journal()) });
    } catch {
      // It is as it was written last.
    } finally {
      stopKeeping?.();
    }
    yield* held.release();
  }

  /** Ends a call that is here: that is written before its code is halted, and stays, whatever becomes of it and of this process. */
  *stopHere(lease: CallLease, reason: string): Operation<void> {
    const { run, report } = this.#parts;
    const { session, lines } = lease;
    if (lease.stopped || lease.ending) return yield* lease.ending ?? [];
    const end = abortedBy(reason);
    lease.stopped = end;
    const note = { ...lease.note, asks: [], end };
    try {
      if (lines?.held?.isKept)
        yield* lines.held.append({ notes: callNoted(note), taken: lease.taken.splice(0), ended: true });
    } catch (error) {
      lease.stopped = undefined;
      throw error;
    }
    lease.note = note;
    this.#leases.tell(lease);
    run(() => session.abort(reason)).catch((cause: unknown) =>
      report('a call that was stopped did not end well', cause, 'state'),
    );
    if (lease.attached === 0) yield* this.end(lease);
  }

  /** Ends a call that nobody here has, in one write: its cleanup ran when it was left, or runs where its claim is lost by this. */
  *stop(name: CallName, message: CallMessage & { readonly stop: string }): Operation<Sent> {
    const { store } = this.#parts;
    if (!store) return 'unknown';
    let outcome = yield* store.claim(name);
    for (let pause = BUSY; outcome.type === 'held' && pause < LONG_HELD; pause *= 2) {
      yield* sleep(pause);
      outcome = yield* store.claim(name);
    }
    if (outcome.type === 'held') {
      const kept = yield* store.read(name);
      // It stays where it is: its process ends it.
      const { stays, pinned } = (kept && callNoteIn(kept.notes)) ?? {};
      if (stays || pinned) return yield* store.leave(name, inboxed(message));
      outcome = yield* store.claim(name, true);
    }
    if (outcome.type !== 'claimed') return 'unknown';
    const { claim, call } = outcome;
    const note = callNoteIn(call.notes) ?? { asks: [] };
    const held = new ClaimedCall(store, claim, call.lineCount);
    if (note.end) yield* held.release();
    else
      yield* held.leave({
        notes: callNoted({ ...note, asks: [], end: abortedBy(message.stop) }),
        ended: true,
      });
    this.#leases.tellOf(name, true);
    return note.end ? 'closed' : 'left';
  }
}
