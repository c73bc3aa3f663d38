import { ensure, type Operation, race, scoped, until } from 'effection';
import type { CallMessage, CallSnapshot } from '../../calls/messages.ts';
import { isMovable } from '../../calls/movable-tool.ts';
import {
  type CallAttachment,
  type CallBeginning,
  type CallInHand,
  CallRefused,
  type Calls,
  type GiveAnswer,
} from '../../calls/port.ts';
import { abortedBy } from '../../calls/snapshots.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import { answeredBy, roundSent, waitedFor } from '../clients/answered-by.ts';
import { TOO_OFTEN } from '../clients/profile.ts';
import type { InterruptedCalls } from '../era-2025/interrupted-calls.ts';
import type { ServerParts } from '../host.ts';
import type { Brought, OpenCall, RequestedCall, Result } from '../request/open-call.ts';
import { newerRefusal, storeRefusal } from '../stored/refusal.ts';
import { isFollowed } from '../trace/call-trace.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { invalidState, type StateBinding } from '../wire/state/bound.ts';
import type { CarriedCodec } from '../wire/state/carried-state.ts';
import { callOf, digestOf } from '../wire/state/state.ts';
import { encodeInputRequests, giveResponse } from './input-requests.ts';
import type { SpentCalls } from './spent-calls.ts';

/** The calls of a server, and what seals those that their clients carry, if they do. */
export interface ServerCalls {
  readonly host: ServerParts;
  readonly calls: Calls;
  readonly codec: CarriedCodec | undefined;
  readonly spent: SpentCalls;
  readonly interrupted: InterruptedCalls | undefined;
  /** How long a state is good for, milliseconds. */
  readonly ttl: number;
}

/**
 * Serves a call of a request: a message to the call, and how it stands when it has ended or waits for its client. A client that is asked
 * while its request is open, and so brings nothing, is attached to its end.
 *
 * @throws `RpcError`
 */
export function* serveCall(
  server: ServerCalls,
  call: RequestedCall,
  asked: Brought | undefined,
): Operation<Result> {
  const { calls, host, spent } = server;
  const brought = asked && spent.brought(call, asked);
  let session: Session | undefined;
  let told: Result | undefined;
  function* attended(
    attached: Session,
    run: (client: Client) => Operation<CallSnapshot | undefined>,
    rounds?: number,
  ): Operation<CallSnapshot | undefined> {
    session = attached;
    // Its client takes no other round.
    const isLast = brought !== undefined && spent.isNext(call, rounds);
    const pages = yield* call.attendPages(calls, attached, isLast);
    if (!pages) return yield* call.attended(attached, () => run(call.client));
    return yield* scoped(function* () {
      let snapshot: CallSnapshot | undefined;
      yield* ensure(() => pages.leave(snapshot));
      snapshot = yield* call.attended(attached, function* () {
        const reached = yield* race([run(pages.client), pages.due]);
        if (reached || call.leaving.hasLeft) return reached || undefined;
        told = yield* pages.answer();
        return undefined;
      });
      return snapshot;
    });
  }
  try {
    const { name, beginning, message } = yield* openingOf(server, call, brought);
    const given = givenBy(call, brought?.state);
    const attachment = {
      ...beginning,
      client: call.rest,
      attended,
      leaving: call.leaving,
      *left(attached: Session, { pinned }: CallSnapshot, outlives: boolean) {
        if (!told) yield* call.left(attached, outlives ? 'both' : pinned ? undefined : 'server');
      },
      give: call.links?.give(given) ?? given,
    };
    const snapshot = name
      ? yield* calls.attach(name, attachment, 'blocked', message)
      : yield* calls.start(attachment, message);
    if (told) return told;
    const { principal, callId } = snapshot.name;
    session ??= host.manager.get({ principal, callId });
    return yield* replyTo(server, call, snapshot, session);
  } catch (error) {
    throw refusalOf(server, call, brought, error);
  }
}

/** Begins the call of a request, or goes on with it: from then on it goes on by itself. @throws `RpcError` */
export function* letGoCall(
  server: ServerCalls,
  call: OpenCall,
  brought: Brought,
  more: Pick<CallAttachment, 'client' | 'attended' | 'keeps'>,
): Operation<CallSnapshot> {
  const { calls } = server;
  try {
    const { name, beginning, message } = yield* openingOf(server, call, brought);
    const attachment = { ...beginning, ...more };
    if (name) return yield* calls.attach(name, attachment, 'begun', message);
    return yield* calls.start(attachment, message, 'begun');
  } catch (error) {
    throw refusalOf(server, call, brought, error);
  }
}

interface Opening {
  /** Which call it is; none for a new one. */
  readonly name: CallName | undefined;
  readonly beginning: Omit<CallBeginning, 'client'>;
  readonly message: CallMessage;
}

/** What a request comes to for the calls: who may, for what, and what it says. @throws `RpcError` for what is no state */
function* openingOf(server: ServerCalls, call: OpenCall, brought: Brought | undefined): Operation<Opening> {
  const { callable, principal } = call;
  const { method, name: called, given, tool } = callable;
  const movable = isMovable(tool) && !call.stays;
  const beginning: Opening['beginning'] = {
    movable,
    takesUp: call.takesUp,
    ...(call.stays && { staysHere: true as const }),
    create: (options) => call.create(options),
    resume: (options) => call.resume(options),
    stands: (session) => session.tool === tool && !isFollowed(session),
    isGone: () => call.signal.aborted,
  };
  if (!brought) return { name: undefined, beginning, message: { id: '', digest: '' } };
  const { state, responses } = brought;
  const binding: StateBinding = { principal, method, name: called, digest: digestOf(given) };
  const hand = movable ? yield* handOf(server, binding, state, tool.name) : undefined;
  return {
    name: state === undefined ? undefined : nameIn(hand, state, principal),
    beginning: { ...beginning, ...(hand && { hand }) },
    message: {
      id: state === undefined ? '' : String(state),
      bound: digestOf(binding),
      digest: digestOf(responses),
      answers: responses,
      by: answeredBy(call.clientInfo, waitedFor(state)),
    },
  };
}

function* handOf(
  { codec, ttl, host }: ServerCalls,
  binding: StateBinding,
  state: unknown,
  tool: string,
): Operation<CallInHand | undefined> {
  if (!codec || (state !== undefined && !codec.knows(state))) return undefined;
  const { principal, method, name, digest } = binding;
  const bound = JSON.stringify([principal, method, name, digest]);
  return {
    ...(state !== undefined && { brought: yield* until(codec.open(state, bound, Date.now())) }),
    *seal(call) {
      const sealed = yield* until(codec.seal(call, bound, Date.now() + ttl));
      if (sealed === undefined) tooLong(host, tool);
      return sealed;
    },
  };
}

const warned = new WeakSet<object>();

function tooLong({ report, manager }: ServerParts, tool: string): void {
  if (warned.has(manager)) return;
  warned.add(manager);
  report(
    `a call of '${tool}' stays in the memory of this process: its journal is longer than a state may be`,
    undefined,
    'state',
  );
}

function nameIn(hand: CallInHand | undefined, state: unknown, principal: string): CallName {
  const callId = hand ? idIn(hand.brought) : callOf(state);
  if (callId === undefined) throw invalidState();
  return { principal, conversation: '', callId };
}

/** The call that was sealed. */
function idIn(brought: JsonValue | undefined): string | undefined {
  const { journal } = isObject(brought) ? brought : {};
  const { header } = isObject(journal) ? journal : {};
  return isObject(header) ? String(header.callId) : undefined;
}

/** What a request is answered with: nothing but how its call stands. */
function* replyTo(
  { spent, calls }: ServerCalls,
  call: RequestedCall,
  { name, end, asks, round = '', rounds = 1 }: CallSnapshot,
  session: Session | undefined,
): Operation<Result> {
  if (end) return call.finish(end);
  if (spent.isNext(call, rounds - 1)) {
    const again = spent.answer(call, round);
    if (again) return again;
    yield* calls.send(name, { id: TOO_OFTEN, digest: '', stop: TOO_OFTEN });
    return call.finish(abortedBy(TOO_OFTEN));
  }
  roundSent(round);
  const { links } = call;
  const shown = session && links ? asks.map((ask) => links.asked(session, ask)) : asks;
  return {
    resultType: 'input_required',
    inputRequests: encodeInputRequests(shown, (ask) => call.trace.metaOf(session, ask), call.clientInfo),
    requestState: round,
  };
}

/** Gives what a request brings; not what its client has said by itself to a question for a person, where that can be asked. */
function givenBy(call: RequestedCall, state: unknown): GiveAnswer {
  const waited = waitedFor(state);
  return (session, ask, wire, attempt, by) => {
    const isForPerson = ask.kind === 'elicit' && ask.person === true;
    const whose = isForPerson ? answeredBy(call.clientInfo, waited, true) : by;
    if (isForPerson && whose === 'client' && call.isAskedOnPage(ask)) return undefined;
    return giveResponse(session, ask, wire, attempt, whose);
  };
}

/** @throws what is none of a call */
function refusalOf(
  { host }: ServerCalls,
  call: OpenCall,
  brought: Brought | undefined,
  error: unknown,
): unknown {
  const goesOn = brought?.state !== undefined;
  if (error instanceof CallRefused && error.why === 'newer') return newerRefusal();
  if (error instanceof CallRefused && error.why === 'other') {
    return invalidParams(
      'This question was already answered with other answers, and the call continued with those. Send the same answers again for the same response',
      { reason: 'answered_already' },
    );
  }
  if (error instanceof CallRefused || isInvalidState(error)) return notHere(call);
  if (goesOn && call.callable && isParleyError(error, 'SESSION_EXISTS')) {
    return new RpcError(
      RPC.refused,
      'This call already continues with other answers: wait for the response to those, or send them again',
    );
  }
  const refusal = storeRefusal(host, error);
  // What is damaged is so for good: to try again later would be for ever.
  return goesOn && isParleyError(error, 'STORE_DAMAGED') ? invalidState() : refusal;
}

function isInvalidState(error: unknown): boolean {
  return error instanceof RpcError && error.message === invalidState().message;
}

/** What a client is told of a state that cannot be used; of a call that never moves, what would make it. */
function notHere({ callable: { tool }, stays }: OpenCall): RpcError {
  const { message, data } = invalidState();
  const only = `A call of '${tool.name}' can continue only in the process where it started`;
  if (stays) return invalidParams(`${message}. ${only}, which asks on a page of its own`, data);
  if (isMovable(tool)) return invalidState();
  return invalidParams(`${message}. ${only}: with .durable(), its author can change that`, data);
}
