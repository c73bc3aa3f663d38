import type { Operation } from 'effection';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OpenCall, Result } from '../open-call.ts';
import {
  createStateCodec,
  invalidState,
  type StateBinding,
  type StateCodec,
  type StateHandle,
} from '../wire/state/state.ts';
import type { Brought, CallHome, Leg } from './call-home.ts';
import { behindQuestions } from './movable.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** A call that stays here between two requests of its client. */
interface ParkedCall extends Leg {
  readonly binding: StateBinding;
}

interface Entry {
  readonly call: ParkedCall;
  round: number;
  /** A leg is under way: its state is used up, and there is no next one yet. */
  busy: boolean;
  expires: number;
}

/** What parked calls live in. */
export interface ParkedCallsOptions {
  readonly manager: SessionManager;
  /** How long a state is good for, milliseconds: as long as the manager keeps what nobody shows. */
  readonly ttl: number;
  now(): number;
  /** Keeps them beyond this process. */
  readonly waiting?: WaitingCalls | undefined;
}

/**
 * The calls that 2026-era clients hold a `requestState` of. The state is a signed handle: what it stands for stays
 * here, bound to who made the call and what was called, and each state opens one leg, once.
 *
 * How many there may be, and how long each may wait, is the manager's to say.
 */
export class ParkedCalls implements CallHome<Leg> {
  readonly #options: ParkedCallsOptions;
  readonly #codec: StateCodec;
  readonly #entries = new Map<string, Entry>();
  /** Calls of an earlier process that are being taken up. */
  readonly #finding = new Set<string>();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
    this.#codec = createStateCodec(options.waiting?.key);
    options.manager.subscribe(({ type, session }) => {
      if (type === 'forgotten' && this.#entries.get(session.id)?.call.session === session) {
        this.#entries.delete(session.id);
      }
    });
  }

  /** How many are kept. */
  get size(): number {
    this.#sweep();
    return this.#entries.size;
  }

  *open(call: OpenCall, { state }: Brought, binding: StateBinding): Operation<Leg> {
    return state === undefined
      ? this.begin(yield* call.create({ retain: true }), binding)
      : yield* this.#resume(state, binding);
  }

  /** Keeps a new call. It is under way: its first leg has begun. */
  begin(session: Session, binding: StateBinding, early: Leg['early'] = new Map()): Leg {
    this.#sweep();
    const call: ParkedCall = {
      session,
      binding,
      early,
      at: 0,
      park: function* (questions: Result) {
        const requestState = park(call);
        yield* keep(call);
        return { ...questions, requestState };
      },
      end: function* () {
        end(call);
      },
      fail: function* () {
        end(call);
      },
      leave: () => end(call),
      letGo: function* () {
        entries.delete(session.id);
        yield* keep(call);
        return undefined;
      },
    };
    const entries = this.#entries;
    const park = (one: ParkedCall) => this.#park(one);
    const keep = (one: ParkedCall) => this.#keep(one);
    const end = (one: ParkedCall) => this.#end(one);
    this.#entries.set(session.id, { call, round: 0, busy: true, expires: Number.POSITIVE_INFINITY });
    return call;
  }

  /** The call that a state stands for; its leg has begun. @throws `-32602` for a state that cannot be used (again). */
  *#resume(state: unknown, binding: StateBinding): Operation<ParkedCall> {
    const handle = this.#codec.open(state, binding, this.#options.now());
    if (!this.#entries.has(handle.id)) yield* this.#find(handle, binding);
    const entry = this.#entries.get(handle.id);
    if (!entry || entry.busy || entry.round !== handle.round) throw invalidState();
    if (!this.#kept(entry.call)) {
      this.#end(entry.call);
      throw invalidState();
    }
    entry.busy = true;
    return entry.call;
  }

  /** Takes up a call that waited in an earlier process. */
  *#find({ id }: StateHandle, binding: StateBinding): Operation<void> {
    const { waiting } = this.#options;
    // The same request again, while the first of them is at it.
    if (!waiting || this.#finding.has(id)) return;
    this.#finding.add(id);
    try {
      const found = yield* waiting.find({ principal: binding.principal, conversation: '', callId: id });
      if (!found) return;
      const { session, note } = found;
      const leg = this.begin(session, binding, new Map(note.early));
      leg.at = behindQuestions(session);
      const entry = this.#entries.get(id);
      if (entry) Object.assign(entry, { round: note.round, busy: false });
    } finally {
      this.#finding.delete(id);
    }
  }

  /** Writes down what it waits with, where that is kept. */
  *#keep({ session, early }: ParkedCall): Operation<void> {
    const { waiting } = this.#options;
    if (!waiting) return;
    const round = this.#entries.get(session.id)?.round;
    yield* waiting.keep(session, round === undefined ? undefined : { round, early: [...early] });
  }

  /** The leg has ended with questions: gives the state that opens the next. */
  #park(call: ParkedCall): string {
    const { session, binding } = call;
    const entry = this.#entries.get(session.id);
    if (!entry) throw invalidState();
    entry.round += 1;
    entry.busy = false;
    entry.expires = this.#options.now() + this.#options.ttl;
    // Last in the order again, so that those that expire first are found first.
    this.#entries.delete(session.id);
    this.#entries.set(session.id, entry);
    return this.#codec.sign({ id: session.id, round: entry.round }, binding, entry.expires);
  }

  /** The call is over, for its client. */
  #end(call: ParkedCall): void {
    this.#entries.delete(call.session.id);
    this.#options.manager.forget({ principal: call.binding.principal, callId: call.session.id });
  }

  /** Forgets the calls of a principal who is gone, and gives those that still run. */
  abandon(principal: string): readonly Session[] {
    const calls = Array.from(this.#entries.values(), ({ call }) => call).filter(
      ({ binding }) => binding.principal === principal,
    );
    for (const call of calls) this.#end(call);
    return calls.map(({ session }) => session).filter((session) => !session.ended());
  }

  #kept({ session, binding }: ParkedCall): boolean {
    return this.#options.manager.get({ principal: binding.principal, callId: session.id }) === session;
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const { call, busy, expires } of this.#entries.values()) {
      if (busy) continue;
      if (expires > now) return;
      this.#end(call);
    }
  }
}
