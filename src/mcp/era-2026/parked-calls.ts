import type { Operation } from 'effection';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OpenCall, Result } from '../open-call.ts';
import { createStateCodec, invalidState, type StateBinding } from '../wire/state/state.ts';
import type { Brought, CallHome, Leg } from './call-home.ts';

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
}

/**
 * The calls that 2026-era clients hold a `requestState` of. The state is a signed handle: what it stands for stays
 * here, bound to who made the call and what was called, and each state opens one leg, once.
 *
 * How many there may be, and how long each may wait, is the manager's to say.
 */
export class ParkedCalls implements CallHome<Leg> {
  readonly #options: ParkedCallsOptions;
  readonly #codec = createStateCodec();
  readonly #entries = new Map<string, Entry>();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
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
      : this.#resume(state, binding);
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
        return { ...questions, requestState: park(call) };
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
        return undefined;
      },
    };
    const entries = this.#entries;
    const park = (one: ParkedCall) => this.#park(one);
    const end = (one: ParkedCall) => this.#end(one);
    this.#entries.set(session.id, { call, round: 0, busy: true, expires: Number.POSITIVE_INFINITY });
    return call;
  }

  /** The call that a state stands for; its leg has begun. @throws `-32602` for a state that cannot be used (again). */
  #resume(state: unknown, binding: StateBinding): ParkedCall {
    const handle = this.#codec.open(state, binding, this.#options.now());
    const entry = this.#entries.get(handle.id);
    if (!entry || entry.busy || entry.round !== handle.round) throw invalidState();
    if (!this.#kept(entry.call)) {
      this.#end(entry.call);
      throw invalidState();
    }
    entry.busy = true;
    return entry.call;
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
