import { type Operation, withResolvers } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { CallAside } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { OpenCall, Result } from '../request/open-call.ts';
import { isMovable } from '../stored/movable-tool.ts';
import { asJson } from '../wire/as-json.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import type { CarriedCodec } from '../wire/state/carried-state.ts';
import { canonical, type StateBinding } from '../wire/state/state.ts';
import { type Brought, type CallHome, keptEarly, type Leg } from './call-home.ts';
import { behindQuestions, letStand, stay } from './movable.ts';
import type { ParkedCalls } from './parked-calls.ts';

/** What carried calls need. */
export interface CarriedCallsOptions {
  readonly host: ServerParts;
  readonly codec: CarriedCodec;
  /** Where calls stay that cannot be carried. */
  readonly parked: ParkedCalls;
  /** How long a state is good for, milliseconds. */
  readonly ttl: number;
  now(): number;
}

/** A copy of a call that stands still here, while its client has its state. */
interface Copy {
  readonly aside: CallAside;
  readonly session: Session;
  readonly binding: StateBinding;
  readonly early: Leg['early'];
  readonly at: number;
  /** When its state is good for nothing any more, milliseconds since the epoch. */
  readonly expires: number;
}

/** A leg that began with a state, for requests that bring the same meanwhile. */
interface Running {
  readonly answer: Operation<Result>;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** What a leg began with, when it is not the first. */
interface Begun {
  readonly early: Leg['early'];
  readonly at: number;
  readonly running: Running;
  over(): void;
}

/**
 * The calls that their clients carry: the journal is in the `requestState`, and any server with the key goes on. A state may come
 * again, and does the same again from there; only while its leg is under way, the same request waits for the same answer.
 *
 * Nothing has to be kept of them here. For a moment a copy is, as it stands where it gave its state: that very state goes on with it,
 * and need not be opened, nor the call be replayed. A copy stands still: whatever would happen in it puts it away.
 */
export class CarriedCalls implements CallHome {
  readonly #options: CarriedCallsOptions;
  readonly #running = new Map<string, Running>();
  /** By the state that goes on with them. */
  readonly #copies = new Map<string, Copy>();
  #warned = false;

  constructor(options: CarriedCallsOptions) {
    this.#options = options;
  }

  *open(call: OpenCall, brought: Brought, binding: StateBinding): Operation<Leg | Result> {
    const { codec, parked, now } = this.#options;
    const { state, responses } = brought;
    const isHere = state === undefined ? call.stays : !codec.knows(state);
    if (isHere || !isMovable(call.callable.tool)) {
      return yield* stay(parked, call, brought, binding);
    }
    if (state === undefined) return this.#leg(yield* call.create({ carried: true }), call, binding);
    const brings = this.#copyFor(state, call, binding) ?? partsOf(codec.open(state, binding, now()));
    const request = `${state} ${canonical(responses)}`;
    const same = this.#running.get(request);
    if (same) return yield* same.answer;
    const running = startRunning();
    this.#running.set(request, running);
    try {
      const begun = { running, over: () => this.#running.delete(request) };
      if ('aside' in brings)
        return this.#leg(this.#takeOut(state, brings), call, binding, { ...brings, ...begun });
      const { journal, early } = brings;
      const session = yield* call.resume({ journal });
      return this.#leg(session, call, binding, { early, at: behindQuestions(session), ...begun });
    } catch (error) {
      this.#running.delete(request);
      const refusal = isParleyError(error, 'SESSION_EXISTS') ? goesOn() : error;
      running.reject(refusal instanceof Error ? refusal : new Error(String(refusal)));
      throw refusal;
    }
  }

  abandon(principal: string): readonly Session[] {
    for (const { session, aside } of [...this.#copies.values()]) {
      if (session.principal === principal) aside.putAway();
    }
    return this.#options.parked.abandon(principal);
  }

  #leg(session: Session, call: OpenCall, binding: StateBinding, begun?: Begun): Leg {
    const early = begun?.early ?? new Map<string, unknown>();
    const answered = (result: Result) => {
      begun?.over();
      begun?.running.resolve(result);
      return result;
    };
    const home = this;
    const leg: Leg = {
      session,
      early,
      at: begun?.at ?? 0,
      isBusy: () => session.isAtWork(home.#options.now()),
      *park(questions) {
        return answered(yield* home.#park(leg, call, binding, questions));
      },
      *end(result) {
        answered(result);
      },
      *fail() {
        begun?.over();
        begun?.running.reject(goesOn());
      },
    };
    return leg;
  }

  *#park(
    { session, early, at }: Leg,
    { callable }: OpenCall,
    binding: StateBinding,
    questions: Result,
  ): Operation<Result> {
    const { host, codec, parked, ttl, now } = this.#options;
    const journal = session.journal();
    const call = asJson({ journal, early: [...early] });
    const expires = now() + ttl;
    const state = codec.seal(call, binding, expires);
    if (state === undefined) {
      if (!this.#warned) {
        this.#warned = true;
        host.report(
          `a call of '${callable.tool.name}' stays in the memory of this process: its journal is longer than a state may be`,
          undefined,
          'state',
        );
      }
      return yield* parked.begin(session, binding, keptEarly(session, early)).park(questions);
    }
    const aside = letStand(host, session, () => this.#copies.delete(state));
    if (aside) this.#copies.set(state, { aside, session, binding, early, at, expires });
    else yield* host.manager.unload({ principal: session.principal, callId: session.id });
    return { ...questions, requestState: state };
  }

  /** The copy that goes on with a state: for the same request of the same principal, with the tool as it is now. */
  #copyFor(state: unknown, { callable }: OpenCall, binding: StateBinding): Copy | undefined {
    const copy = this.#copies.get(String(state));
    if (!copy || copy.expires <= this.#options.now() || copy.session.tool !== callable.tool) return undefined;
    return canonical(copy.binding) === canonical(binding) ? copy : undefined;
  }

  /** @throws `SessionLimitError`: then it stays where it is */
  #takeOut(state: unknown, { aside, session }: Copy): Session {
    aside.goOn();
    this.#copies.delete(String(state));
    return session;
  }
}

function startRunning(): Running {
  const { operation, resolve, reject } = withResolvers<Result>('the same request');
  return { answer: operation, resolve, reject };
}

function partsOf(kept: JsonValue): { readonly journal: unknown; readonly early: Map<string, unknown> } {
  const { journal, early } = isObject(kept) ? kept : {};
  return { journal, early: new Map(early as [string, unknown][]) };
}

function goesOn(): RpcError {
  return new RpcError(
    RPC.refused,
    'This call already continues with other answers: wait for the response to those, or send them again',
  );
}
