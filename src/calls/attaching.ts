import { ensure, type Operation, race, scoped, sleep, suspend } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { Client } from '../runtime/session/client.ts';
import type { AttachedUntil, CallDriving } from './driving.ts';
import type { CallEnding } from './ending.ts';
import { giveAnswers, isTakenElsewhere } from './giving.ts';
import type { CallInbox } from './inbox.ts';
import type { CallKeeping } from './keeping.ts';
import type { CallLease } from './lease.ts';
import type { CallLeases } from './leases.ts';
import type { CallMessage, CallSnapshot } from './messages.ts';
import type { CallAttachment, CallsParts } from './port.ts';
import { closedBy, hasGoneBack } from './rounds.ts';
import { earlyOf, keptSnapshot, liveSnapshot, noteNow, recordSnapshot } from './snapshots.ts';

/** Timers take no more, milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** What attaching works with. */
interface AttachingParts {
  readonly leases: CallLeases;
  readonly inbox: CallInbox;
  readonly keeping: CallKeeping;
  readonly driving: CallDriving;
  readonly ending: CallEnding;
}

/** Attaches clients to leases: counts them, gives what they say, and gives the call back when the last has left. */
export class CallAttaching {
  readonly #parts: CallsParts;
  readonly #with: AttachingParts;

  constructor(parts: CallsParts, others: AttachingParts) {
    this.#parts = parts;
    this.#with = others;
  }

  /** One that is attached: gives what its message says, drives, and leaves the call as it stands. The same for every surface. */
  *run(
    lease: CallLease,
    attachment: CallAttachment,
    until: AttachedUntil,
    message: CallMessage | undefined,
    first = false,
  ): Operation<CallSnapshot> {
    const { session, note } = lease;
    const { keeps } = attachment;
    // What goes on by itself was counted when it began to.
    if (until !== 'alone') lease.attached += 1;
    if (keeps) lease.note = { ...note, ...keeps };
    lease.stopKeeping ??= this.#with.keeping.keep(lease, attachment.client.name);
    const self = this;
    return yield* scoped(function* () {
      let giving: { stop(): void } | undefined;
      let isBroken = false;
      yield* ensure(function* () {
        lease.attached -= 1;
        giving?.stop();
        lease.onFreed();
        if (lease.attached === 0 && !lease.isLeft) yield* self.#with.ending.giveBack(lease, isBroken);
      });
      try {
        // What was left before comes first.
        yield* self.#with.inbox.takeAll(lease, lease.inbox);
        if (message) yield* lease.shown?.look() ?? [];
        giving = self.#giving(lease, attachment, message, first);
        if (until === 'begun') return yield* self.#goOnAlone(lease, attachment, message);
        const run = (client: Client) =>
          self.#with.driving.drive(lease, attachment, client, { until, message });
        const snapshot = yield* attachment.attended?.(session, run, lease.note.rounds) ??
          run(attachment.client);
        if (snapshot) return snapshot;
        // Others go on: it has had its answer, or is gone.
        if (lease.attached > 1) {
          lease.note = closedBy(lease.note, message);
          return recordSnapshot(lease);
        }
        // Its round is open still: the same message goes on with it, where its process has stopped.
        yield* attachment.left?.(session, recordSnapshot(lease), lease.outlives) ?? [];
        return session.ended() ? yield* self.#with.ending.end(lease) : recordSnapshot(lease);
      } catch (error) {
        const isLost = isParleyError(error, 'CLAIM_LOST');
        // What is written is no longer this process's to say.
        isBroken = !isLost;
        const kept = isLost ? yield* self.#parts.store?.read(lease.name) ?? [] : undefined;
        // Somebody has stopped it, and has not asked this process.
        if (kept?.ended) return keptSnapshot(kept);
        throw error;
      }
    });
  }

  #giving(
    lease: CallLease,
    { client, give = this.#parts.give }: Pick<CallAttachment, 'client' | 'give'>,
    message: CallMessage | undefined,
    first: boolean,
  ): { stop(): void } {
    const { session, note } = lease;
    const wentBack = hasGoneBack(lease);
    return giveAnswers(
      {
        ...{ session, give, first, wentBack, early: earlyOf(lease) },
        takes: (ask) => isTakenElsewhere(client, ask),
        seen: message?.seen ?? note.seen,
        by: message?.by,
      },
      message?.answers,
    );
  }

  /** It goes on by itself: nobody waits for it, and what it comes to is kept. */
  *#goOnAlone(
    lease: CallLease,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const { run, report } = this.#parts;
    if (message?.bound !== undefined) lease.note = closedBy(lease.note, message, lease.session.rewinds());
    if (message || attachment.keeps) {
      yield* lease.write(noteNow(lease, { ...lease.note, asks: lease.session.openAsks() }));
    }
    if (lease.isAlone) return liveSnapshot(lease);
    const { keeps: _, ...rest } = attachment;
    const self = this;
    lease.isAlone = true;
    lease.attached += 1;
    run(function* () {
      try {
        yield* race([self.run(lease, rest, 'alone', undefined), self.#expiring(lease)]);
      } finally {
        lease.isAlone = false;
      }
    }).catch((cause: unknown) => {
      if (!isParleyError(cause, 'CLAIM_LOST'))
        report(`the call '${lease.name.callId}' could not continue`, cause, 'state');
    });
    return liveSnapshot(lease);
  }

  /** Nobody can look at it after that. */
  *#expiring({ note, name }: CallLease): Operation<never> {
    const { until = Number.POSITIVE_INFINITY } = note;
    while (Date.now() < until) yield* sleep(Math.min(until - Date.now(), LONGEST));
    const lease = this.#with.leases.of(name);
    if (lease) yield* this.#with.inbox.take(lease, { id: '', digest: '', stop: 'it has expired' });
    return yield* suspend() as Operation<never>;
  }
}
