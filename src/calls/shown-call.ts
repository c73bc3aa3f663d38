import type { Operation } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { JsonObject } from '../core/messages/json.ts';
import type { CallStore, Claim, InboxMessage } from '../runtime/journal/call-store.ts';
import { ClaimedCall } from '../runtime/manager/claimed-call.ts';
import type { Session } from '../runtime/session/session.ts';
import { type CallNote, callNoted, nameOfCall } from './messages.ts';
import type { CallsParts, ShownCalls } from './port.ts';

/**
 * A call that is in this process alone, as others see it: its header and how it stands, in a store, from its first question on. They may leave
 * messages there, and once its process is dead it has ended for them. What cannot be shown goes on all the same.
 */
export class ShownCall {
  readonly #parts: Pick<CallsParts, 'report' | 'run'>;
  readonly #where: ShownCalls;
  readonly #session: Session;
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
    parts: Pick<CallsParts, 'report' | 'run'>,
    where: ShownCalls,
    session: Session,
    client: string,
    take: (inbox: readonly InboxMessage[]) => Operation<void>,
  ) {
    this.#parts = parts;
    this.#where = where;
    this.#session = session;
    this.#client = client;
    this.#take = take;
  }

  /** Writes how it stands, and which messages were taken. */
  *write(note: CallNote, taken: readonly string[]): Operation<void> {
    const isAsked = note.round !== undefined || note.asks.some(({ kind }) => kind === 'elicit');
    if (this.#over || !(this.#held || isAsked)) return;
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
    this.#over = note;
    for (const stop of this.#stops) stop();
    if (!this.#held?.isKept) return;
    yield* this.#tried(() => this.#close(note));
    yield* this.#tell();
  }

  *#close(note: CallNote): Operation<void> {
    if (this.#where.forgets) yield* this.#store?.forget(nameOfCall(this.#session)) ?? [];
    else yield* this.#held?.leave({ notes: this.#noted({ ...note, asks: [] }), ended: true }) ?? [];
  }

  *#begin(): Operation<ClaimedCall | undefined> {
    const store = yield* this.#where.store();
    if (!store || this.#over) return undefined;
    if (this.#held) return this.#held;
    const name = nameOfCall(this.#session);
    this.#says = this.#where.says?.(this.#session, this.#client) ?? {};
    const { header } = this.#session.journal();
    // JSON, though its type does not say so.
    const held = new ClaimedCall(store, { name, header: header as JsonObject }, 0);
    this.#store = store;
    this.#held = held;
    const { report, run } = this.#parts;
    this.#stops = [
      // Who has taken it meanwhile takes nothing away from the one that runs here.
      held.keepUp({ manager: { release: notHalted }, report, run }),
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
    return { ...this.#says, ...callNoted({ ...note, pinned: true }) };
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
      yield* this.#store?.tell(nameOfCall(this.#session)) ?? [];
    } catch {
      // They look now and then by themselves.
    }
  }
}

function* notHalted(): Operation<boolean> {
  return false;
}
