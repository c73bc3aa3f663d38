import type { Operation } from 'effection';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OpenCall, Result } from '../request/open-call.ts';
import {
  createStateCodec,
  invalidState,
  type StateBinding,
  type StateCodec,
  type StateHandle,
} from '../wire/state/state.ts';
import { type Brought, type CallHome, type KeptEarly, keptEarly, type Leg } from './call-home.ts';
import { behindQuestions } from './movable.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** What parked calls ask of where they are kept. */
interface Keeper {
  park(call: ParkedCall): string;
  keep(call: ParkedCall): Operation<void>;
  end(call: ParkedCall): void;
  drop(call: ParkedCall): void;
}

/** A call that stays here between two requests of its client. A class, for thousands of them wait: a closure is memory. */
class ParkedCall implements Leg {
  readonly session: Session;
  readonly binding: StateBinding;
  at = 0;
  wentBack = false;
  readonly #keeper: Keeper;
  #early: Leg['early'] | undefined;
  /** How often it had gone back when its last leg ended. */
  #rewinds: number;

  constructor(keeper: Keeper, session: Session, binding: StateBinding, { early, rewinds = 0 }: KeptEarly) {
    this.#keeper = keeper;
    this.session = session;
    this.binding = binding;
    this.#early = early.length > 0 ? new Map(early) : undefined;
    this.#rewinds = rewinds;
  }

  get early(): Leg['early'] {
    this.#early ??= new Map();
    return this.#early;
  }

  *park(questions: Result): Operation<Result> {
    const requestState = this.#keeper.park(this);
    this.#rewinds = this.session.rewinds();
    // Most clients answer what they are asked, and nothing before.
    if (this.#early?.size === 0) this.#early = undefined;
    yield* this.#keeper.keep(this);
    return { ...questions, requestState };
  }

  /** Its next leg begins, with what it waited with. */
  goOn(): void {
    this.wentBack = this.session.rewinds() !== this.#rewinds;
    if (this.wentBack) this.#early = undefined;
  }

  *end(): Operation<void> {
    this.#keeper.end(this);
  }

  *fail(): Operation<void> {
    this.#keeper.end(this);
  }

  leave(): void {
    this.#keeper.end(this);
  }

  *letGo(): Operation<undefined> {
    this.#keeper.drop(this);
    yield* this.#keeper.keep(this);
    return undefined;
  }
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
  readonly #keeper: Keeper = {
    park: (call) => this.#park(call),
    keep: (call) => this.#keep(call),
    end: (call) => this.#end(call),
    drop: ({ session }) => void this.#entries.delete(session.id),
  };

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
  begin(session: Session, binding: StateBinding, waited: KeptEarly = { early: [] }): Leg {
    this.#sweep();
    const call = new ParkedCall(this.#keeper, session, binding, waited);
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
    entry.call.goOn();
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
      const leg = this.begin(session, binding, note);
      leg.at = behindQuestions(session);
      const entry = this.#entries.get(id);
      if (entry) Object.assign(entry, { round: note.round, busy: false });
    } finally {
      this.#finding.delete(id);
    }
  }

  /** Writes down what it waits with, where that is kept. */
  *#keep(call: ParkedCall): Operation<void> {
    const { waiting } = this.#options;
    if (!waiting) return;
    const { session, early } = call;
    const round = this.#entries.get(session.id)?.round;
    yield* waiting.keep(session, round === undefined ? undefined : { round, ...keptEarly(session, early) });
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
