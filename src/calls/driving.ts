import { type Operation, race, sleep } from 'effection';
import { ClaimLostError } from '../core/errors/store-errors.ts';
import { drive } from '../runtime/drive/drive.ts';
import type { Ask } from '../runtime/session/ask.ts';
import type { Client } from '../runtime/session/client.ts';
import { RELEASED } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallEnding } from './ending.ts';
import { failUnanswerable } from './giving.ts';
import { BUSY, type CallLease } from './lease.ts';
import type { CallLeases } from './leases.ts';
import { type CallMessage, type CallSnapshot, callNoted, plainJson } from './messages.ts';
import { nextDue } from './next-due.ts';
import { type CallAttachment, CallRefused, type CallsParts, type Until } from './port.ts';
import { attemptsOf, closedBy } from './rounds.ts';
import { noteNow, recordSnapshot } from './snapshots.ts';

/** As `begun` goes on: nobody waits for it. */
export type AttachedUntil = Until | 'alone';

/** Drives a call with one client, until it ends or only waits; then how it stands is written. */
export class CallDriving {
  readonly #parts: CallsParts;
  readonly #leases: CallLeases;
  readonly #ending: CallEnding;

  constructor(parts: CallsParts, leases: CallLeases, ending: CallEnding) {
    this.#parts = parts;
    this.#leases = leases;
    this.#ending = ending;
  }

  *drive(
    lease: CallLease,
    attachment: CallAttachment,
    client: Client,
    { until, message }: { readonly until: AttachedUntil; readonly message: CallMessage | undefined },
  ): Operation<CallSnapshot | undefined> {
    const { session } = lease;
    const opens = message?.bound !== undefined;
    const as = until === 'end' ? 'end' : 'blocked';
    let at = opens ? lease.at : (attachment.after ?? 0);
    let reached = false;
    try {
      for (;;) {
        const now = yield* drive(session, client, as, { after: at, leaving: attachment.leaving });
        reached = true;
        if (now.type === 'left') return undefined;
        if (now.type === 'aborted' && now.reason === RELEASED)
          throw new ClaimLostError({ callId: lease.name.callId });
        if (now.type !== 'blocked') return yield* this.#ending.end(lease);
        at = now.at;
        if (opens) lease.at = at;
        if (failUnanswerable(session, client, now.asks)) continue;
        const isOthers = lease.pinned || lease.attached > 1;
        const waits =
          until === 'alone'
            ? !isOthers && isAtRest(session, now.asks)
            : isOthers || isAtRest(session, now.asks);
        if (waits && !lease.stopped) return yield* this.#wait(lease, attachment, now.asks, message);
        if (until !== 'alone' || !isOthers) yield* sleep(BUSY);
        // Nobody else goes on with it when it is answered; or those may leave.
        else if (lease.pinned) yield* session.nextEvent(at);
        else yield* race([session.nextEvent(at), lease.freed()]);
      }
    } finally {
      // It has been told all of this.
      if (opens && !reached) lease.at = session.events(lease.at).at(-1)?.at ?? lease.at;
    }
  }

  /** The call waits, for one that is attached: how it stands is written, and it is given back where nobody else is. */
  *#wait(
    lease: CallLease,
    { hand, stands }: CallAttachment,
    asks: readonly Ask[],
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const { manager, newRound, ttl } = this.#parts;
    const { name, session } = lease;
    const { held } = lease.lines ?? {};
    const isLast = lease.attached === 1;
    const opens = message?.bound !== undefined;
    const rest = opens ? closedBy(lease.note, message, session.rewinds()) : lease.note;
    const rounds = (rest.rounds ?? 0) + 1;
    const note = noteNow(lease, { ...rest, asks: opens ? asks : session.openAsks() });
    if (isLast) lease.early = undefined;
    if (opens && !lease.pinned && !held) {
      const sealed =
        isLast && hand
          ? yield* hand.seal(plainJson({ journal: session.journal(), early: note.early ?? [], rounds }))
          : undefined;
      if (sealed !== undefined) {
        this.#leases.remove(lease);
        lease.isLeft = true;
        yield* manager.release(name);
        return { ...recordSnapshot(lease), asks, round: sealed, rounds };
      }
      lease.pinned = true;
    }
    lease.note = opens ? { ...note, round: newRound(name), rounds, seen: attemptsOf(asks) } : note;
    if (!held) {
      if (this.#leases.of(name) !== lease) throw new CallRefused('unknown');
      if (opens) lease.expires = Date.now() + ttl;
      yield* lease.write(lease.note);
    } else if (isLast) {
      lease.isLeft = true;
      lease.leaving = true;
      const isGood = !stands || stands(session);
      lease.cached = isGood ? manager.cache(name, () => this.#leases.remove(lease)) : undefined;
      try {
        if (!lease.cached) yield* manager.release(name);
        // Only now all of its lines are written, or wait to be.
        yield* held.leave({
          ...{ notes: callNoted(lease.note), taken: lease.taken },
          due: nextDue(session.journal()),
        });
      } catch (error) {
        lease.cached?.drop();
        lease.isLeft = false;
        throw error;
      } finally {
        lease.leaving = false;
        if (!lease.cached) this.#leases.remove(lease);
      }
      // Only now: what keeps it may be writing, and is not broken off.
      lease.stopKeeping?.();
    } else yield* lease.write(lease.note);
    this.#leases.tell(lease);
    return recordSnapshot(lease);
  }
}

/** Whether it does nothing but wait for answers. One that is being checked is on its way. */
function isAtRest(session: Session, asks: readonly Ask[]): boolean {
  return !session.isAtWork(Date.now()) && asks.every(({ id }) => session.awaitsAnswer(id));
}
