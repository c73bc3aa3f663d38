import type { Operation } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { CallStore, InboxMessage } from '../runtime/journal/call-store.ts';
import type { CallInbox } from './inbox.ts';
import type { CallLease } from './lease.ts';
import type { CallLeases } from './leases.ts';
import { callNoteIn } from './messages.ts';
import type { CallsParts } from './port.ts';
import { ShownCall } from './shown-call.ts';
import { noteNow } from './snapshots.ts';

/** How long it may take until how a call stands that is here is written, for those who look elsewhere, milliseconds. */
const NEWS = 50;

/** Keeps the claims of calls that are here, and writes down how they stand. */
export class CallKeeping {
  readonly #parts: CallsParts;
  readonly #leases: CallLeases;
  readonly #inbox: CallInbox;

  constructor(parts: CallsParts, leases: CallLeases, inbox: CallInbox) {
    this.#parts = parts;
    this.#leases = leases;
    this.#inbox = inbox;
  }

  /** Keeps the claim of a call that this client is attached to, and takes what is left for it meanwhile; returns what stops that. */
  keep(lease: CallLease, client: string): (() => void) | undefined {
    const { store, run, report, manager } = this.#parts;
    const { held } = lease.lines ?? {};
    this.#show(lease, client);
    const isKept = held !== undefined || lease.staying !== undefined;
    if (!lease.shown && !(store && isKept)) return undefined;
    const stopRenewing = held?.keepUp({ manager, report, run });
    const doing = (what: () => Operation<void>) => {
      run(what).catch((cause: unknown) => {
        // It is given back meanwhile, with all of this.
        if (!isParleyError(cause, 'CLAIM_LOST')) report('a call could not be saved', cause, 'state');
      });
    };
    let writing: ReturnType<typeof setTimeout> | undefined;
    const news = () => {
      // What it came to is written with its end. Most are given back before that.
      if (lease.session.ended()) return;
      writing ??= setTimeout(() => {
        writing = undefined;
        doing(() => this.write(lease));
      }, NEWS);
    };
    if (lease.session.openAsks().length > 0 || lease.shownLines?.held) news();
    const stopFollowing = lease.session.subscribe((event) => {
      if ('ask' in event || event.type === 'ask_closed') news();
    });
    const stopLooking = isKept
      ? store?.watch(lease.storeName, () => doing(() => this.#look(lease)))
      : undefined;
    return () => {
      clearTimeout(writing);
      stopFollowing();
      stopLooking?.();
      stopRenewing?.();
      lease.stopKeeping = undefined;
    };
  }

  /** Shows one that is in this process alone. */
  #show(lease: CallLease, client: string): void {
    const { store, staying, shown = store && !staying && { store: () => opened(store) } } = this.#parts;
    if (!lease.pinned || !shown) return;
    lease.shown ??= new ShownCall(this.#parts, shown, lease, client, (inbox) => this.#took(lease, inbox));
  }

  *#took(lease: CallLease, inbox: readonly InboxMessage[]): Operation<void> {
    if (!lease.isHere || inbox.every(({ id }) => lease.taken.includes(id))) return;
    yield* this.#inbox.takeAll(lease, inbox);
    yield* lease.session.settled();
    yield* this.write(lease);
  }

  /** Takes what was left for a call that is here, and tells everybody how it stands then. */
  *#look(lease: CallLease): Operation<void> {
    const { store } = this.#parts;
    if (!store || !lease.claim || !lease.isHere) return;
    try {
      yield* this.#took(lease, yield* store.take(lease.claim));
    } catch (error) {
      if (!isParleyError(error, 'CLAIM_LOST')) throw error;
      yield* this.lost(lease);
    }
  }

  /** Somebody else has it now: they have stopped it, or it had lapsed. */
  *lost(lease: CallLease): Operation<void> {
    this.#leases.remove(lease);
    const kept = yield* this.#parts.store?.read(lease.storeName) ?? [];
    const note = kept && callNoteIn(kept.notes);
    if (note?.end?.type === 'aborted') {
      // Whoever is attached hears of it; it is written down already.
      lease.note = note;
      lease.ending = { *[Symbol.iterator]() {} };
      yield* lease.session.abort(note.end.reason);
    }
    yield* this.#parts.manager.release(lease.name);
  }

  /** Writes how a call stands that is here, and stays. */
  *write(lease: CallLease): Operation<void> {
    const { session, note } = lease;
    if (!lease.isHere || lease.ending || lease.stopped) return;
    yield* lease.write(noteNow(lease, { ...note, asks: session.openAsks() }));
    lease.isWatched = true;
    this.#leases.tell(lease);
  }
}

function* opened(store: CallStore): Operation<CallStore> {
  return store;
}
