import type { Operation } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { CallName, CallStore, Claim, InboxMessage } from '../runtime/journal/call-store.ts';
import { ClaimedCall } from '../runtime/manager/claimed-call.ts';
import type { Session } from '../runtime/session/session.ts';
import type { ShownLines } from './lease-lines.ts';
import { type CallNote, callNoted, nameOfCall } from './messages.ts';
import type { CallsParts, ShownCalls } from './port.ts';

/** What is shown of a lease. */
interface ShownLease {
  readonly session: Session;
  shownLines: ShownLines | undefined;
  readonly isWorthKeeping: boolean;
}

/**
 * A call that is in this process alone, as others see it: its header and how it stands, in a store, from its first question on. They may leave
 * messages there, and once its process is dead it has ended for them. What cannot be shown goes on all the same.
 */
export class ShownCall {
  readonly #parts: Pick<CallsParts, 'report' | 'run' | 'manager'>;
  readonly #where: ShownCalls;
  readonly #lease: ShownLease;
  /** Takes what was left for it. */
  readonly #take: (inbox: readonly InboxMessage[]) => Operation<void>;
  readonly #client: string;
  #says: JsonObject = {};
  #store: CallStore | undefined;
  #held: ClaimedCall | undefined;
  #stops: readonly (() => void)[] = [];
  /** How it ended. */
  #over: CallNote | undefined;

  constructor(
    parts: Pick<CallsParts, 'report' | 'run' | 'manager'>,
    where: ShownCalls,
    lease: ShownLease,
    client: string,
    take: (inbox: readonly InboxMessage[]) => Operation<void>,
  ) {
    this.#parts = parts;
    this.#where = where;
    this.#lease = lease;
    this.#client = client;
    this.#take = take;
  }

  /** Writes how it stands, and which messages were taken. */
  *write(note: CallNote, taken: readonly string[]): Operation<void> {
    const isAsked = note.round !== undefined || note.asks.some(({ kind }) => kind === 'elicit');
    if (this.#over || !(this.#held || this.#isTakenUp || isAsked)) return;
    yield* this.#tried(function* (this: ShownCall) {
      const held = this.#held ?? (yield* this.#begin());
      yield* held?.append({ notes: this.#noted(note), taken }) ?? [];
      if (this.#over) yield* this.#close(this.#over);
    });
    yield* this.#tell();
  }

  /** It is over: what it came to is kept for who comes back for that, or nothing of it. */
  *end(note: CallNote): Operation<void> {
    if (this.#over) return;
    if (this.#isTakenUp) yield* this.#begin();
    this.#over = note;
    for (const stop of this.#stops) stop();
    if (!this.#held?.isKept) return;
    yield* this.#tried(() => this.#close(note));
    yield* this.#tell();
  }

  /** This process ends, and leaves it as it stands to the one that comes after. */
  *leave(note: CallNote): Operation<void> {
    this.#over = note;
    for (const stop of this.#stops) stop();
    yield* this.#tried(function* (this: ShownCall) {
      yield* this.#held?.leave({ notes: this.#noted(note) }) ?? [];
    });
    yield* this.#tell();
  }

  /** It is shown as one that nobody takes up. */
  *#giveUp(name: CallName): Operation<void> {
    this.#lease.shownLines = undefined;
    this.#held = undefined;
    for (const stop of this.#stops) stop();
    yield* this.#tried(function* (this: ShownCall) {
      yield* this.#store?.forget(name) ?? [];
    });
  }

  *#close(note: CallNote): Operation<void> {
    // What is written behind that would be of no call.
    if (this.#lease.shownLines) yield* this.#held?.ended() ?? [];
    if (this.#where.forgets) yield* this.#store?.forget(nameOfCall(this.#lease.session)) ?? [];
    else yield* this.#held?.leave({ notes: this.#noted({ ...note, asks: [] }), ended: true }) ?? [];
  }

  /** It was there before it is shown here. */
  get #isTakenUp(): boolean {
    return this.#lease.shownLines?.held !== undefined;
  }

  *#begin(): Operation<ClaimedCall | undefined> {
    const store = yield* this.#where.store();
    if (!store || this.#over) return undefined;
    if (this.#held) return this.#held;
    const { session, shownLines } = this.#lease;
    const name = nameOfCall(session);
    this.#says = this.#where.says?.(session, this.#client) ?? {};
    const { header } = session.journal();
    const lines = shownLines?.waiting ?? [];
    // JSON, though their types do not say so.
    const begins = { name, header: header as JsonObject, lines: lines as readonly JsonValue[] };
    const held = shownLines?.held ?? new ClaimedCall(store, begins, lines.length);
    this.#store = store;
    this.#held = held;
    if (shownLines) {
      shownLines.held = held;
      shownLines.giveUp = () => this.#giveUp(name);
    }
    const { report, run } = this.#parts;
    // Who has taken it meanwhile takes nothing away from the one that runs here, unless they go on with it.
    const manager = shownLines ? this.#parts.manager : { release: notHalted };
    this.#stops = [
      held.keepUp({ manager, report, run }),
      store.watch(name, () => void run(() => this.look()).catch(() => {})),
    ];
    return held;
  }

  /** Takes what was left for it. */
  *look(): Operation<void> {
    const claim: Claim | undefined = this.#held?.claim;
    if (!claim || !this.#store || this.#over) return;
    yield* this.#tried(function* (this: ShownCall) {
      const inbox = yield* this.#store?.take(claim) ?? [];
      if (inbox && inbox.length > 0) yield* this.#take(inbox);
    });
  }

  #noted(note: CallNote): JsonObject {
    const stands = this.#lease.isWorthKeeping ? ({ stays: true } as const) : ({ pinned: true } as const);
    return { ...this.#says, ...callNoted({ ...note, ...stands }) };
  }

  *#tried(what: (this: ShownCall) => Operation<void>): Operation<void> {
    try {
      yield* what.call(this);
    } catch (error) {
      // Somebody has ended it there, for they took this process for dead.
      if (isParleyError(error, 'CLAIM_LOST')) this.#held = undefined;
      else this.#parts.report('how a call stands could not be saved', error, 'state');
    }
  }

  /** Those who look elsewhere look again, at what is there or is there no more. */
  *#tell(): Operation<void> {
    try {
      yield* this.#store?.tell(nameOfCall(this.#lease.session)) ?? [];
    } catch {
      // They look now and then by themselves.
    }
  }
}

function* notHalted(): Operation<boolean> {
  return false;
}
