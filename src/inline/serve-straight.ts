import { type Operation, until, useScope } from 'effection';
import type { CallMessage, CallSnapshot } from '../calls/messages.ts';
import { isMovable } from '../calls/movable-tool.ts';
import { type CallBeginning, type CallInHand, CallRefused } from '../calls/port.ts';
import { errorData } from '../core/errors/data/error-data.ts';
import { isParleyError } from '../core/errors/errors.ts';
import type { JsonValue } from '../core/messages/json.ts';
import { isObject } from '../core/schema/is-object.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { digest } from '../core/world/digest.ts';
import { answeredBy, roundSent, waitedFor } from '../mcp/clients/answered-by.ts';
import { encodeInputRequests } from '../mcp/era-2026/input-requests.ts';
import { callResultOf, encodeError } from '../mcp/wire/result.ts';
import { canonical, invalidState } from '../mcp/wire/state/bound.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import type { Client } from '../runtime/session/client.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import { clientOfHost } from './client.ts';
import type { EngineParts } from './engine.ts';
import type { Host } from './hosts.ts';
import { callOfRound, OpenedRound } from './rounds.ts';
import type { StraightResult } from './straight.ts';

/** A call of a handler. */
export interface StraightCall {
  readonly tool: AnyTool;
  readonly params: unknown;
  readonly args: unknown;
  readonly host: Host;
  readonly principal: string;
}

/** Serves a request: the call ends, or it is answered with what it asks. */
export function* serveStraight(parts: EngineParts, call: StraightCall): Operation<StraightResult> {
  const { tool, host } = call;
  try {
    const snapshot = yield* host.carries ? carried(parts, call) : within(parts, call);
    if (snapshot.end) return resultOf(tool, snapshot.end);
    roundSent(snapshot.round);
    const inputRequests = encodeInputRequests(snapshot.asks, () => ({}), host.clientInfo);
    // Hosts of 2026-07-28 know it by its type; there is no content.
    const question = { resultType: 'input_required', inputRequests, requestState: snapshot.round };
    return question as unknown as StraightResult;
  } catch (error) {
    return refused(tool.name, error);
  }
}

/** It is asked within the request, by a client of 2025: it is in this process, to its end. */
function* within(parts: EngineParts, call: StraightCall): Operation<CallSnapshot> {
  const client = clientOfHost(call.host, call.tool.name, true);
  return yield* parts.calls.start(beginningOf(parts, call, client, false), { digest: '' });
}

/** It is asked with answers of requests, by a client of 2026-07-28: each brings what the one before has asked. */
function* carried(parts: EngineParts, call: StraightCall): Operation<CallSnapshot> {
  const { codec, calls, stays } = parts;
  const { tool, args, host, principal } = call;
  const { state, responses } = host;
  const bound = digest(canonical([principal, tool.name, jsonOf(args)]));
  const movable = isMovable(tool) && !stays;
  const hand =
    codec && movable && callOfRound(state) === undefined ? yield* handOf(parts, call, bound) : undefined;
  const beginning = {
    ...beginningOf(parts, call, clientOfHost(host, tool.name, false), movable),
    ...(hand && { hand }),
  };
  const says = {
    bound,
    digest: digest(canonical(responses)),
    answers: responses,
    by: answeredBy(host.clientInfo, waitedFor(state)),
  };
  if (state === undefined) return yield* calls.start(beginning, says);
  const callId = hand ? idIn(hand.brought) : callOfRound(state);
  if (callId === undefined) throw new CallRefused('unknown');
  const name: CallName = { principal, conversation: '', callId };
  const message: CallMessage = { ...says, id: hand ? callId : String(state) };
  return yield* calls.attach(name, beginning, 'blocked', message);
}

function beginningOf(
  { manager }: EngineParts,
  { tool, params, host, principal }: StraightCall,
  client: Client,
  movable: boolean,
): CallBeginning {
  const { capabilities, signal } = host;
  return {
    client,
    movable,
    create: (how) => manager.create({ ...how, tool, params, capabilities, principal }),
    resume: (how) => manager.resume({ ...how, tool, capabilities }),
    attended: (session, run) => stoppable(session, signal, run(client)),
    isGone: () => signal?.aborted === true,
  };
}

/** What a client of 2026-07-28 has in its hand: good for this person, this tool and these arguments. */
function* handOf(
  { codec, ttl }: EngineParts,
  { host: { state }, principal }: StraightCall,
  bound: string,
): Operation<CallInHand | undefined> {
  if (!codec) return undefined;
  let brought: JsonValue | undefined;
  if (state !== undefined) {
    const opened =
      state instanceof OpenedRound ? state.call : yield* until(codec.open(state, principal, Date.now()));
    if (!isObject(opened) || opened.bound !== bound) throw invalidState();
    brought = opened.call as JsonValue;
  }
  return {
    ...(brought !== undefined && { brought }),
    *seal(call) {
      return yield* until(codec.seal({ bound, call }, principal, Date.now() + ttl));
    },
  };
}

/** The call that a client has brought. */
function idIn(brought: JsonValue | undefined): string | undefined {
  const { journal } = isObject(brought) ? brought : {};
  const { header } = isObject(journal) ? journal : {};
  return isObject(header) ? String(header.callId) : undefined;
}

const CANCELLED = 'the client has cancelled the request';

/** Ends the call with its request. */
function* stoppable<T>(session: Session, signal: AbortSignal | undefined, op: Operation<T>): Operation<T> {
  if (!signal) return yield* op;
  const scope = yield* useScope();
  const stop = () => void scope.run(() => session.abort(CANCELLED)).catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return yield* op;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Arguments as JSON, as far as they are: two of a kind are the same ones. */
function jsonOf(args: unknown): unknown {
  return JSON.parse(JSON.stringify(args) ?? 'null');
}

function resultOf(tool: AnyTool, end: EndEvent): StraightResult {
  const { output, foreign } = tool.def;
  // One whose function says nothing of its result: what is an object is structured, unless it is a result as a whole.
  const value = end.type === 'result' ? end.value : undefined;
  const structured = output !== undefined || (isObject(value) && !('content' in value));
  const result = callResultOf(tool.name, { structured, foreign }, end);
  // As hosts have them: neither of them is frozen.
  return structuredClone(result) as StraightResult;
}

/** Where there is nobody to tell by an error of the protocol: the server's own hook does that. */
function refused(name: string, error: unknown): StraightResult {
  if (error instanceof CallRefused && error.why === 'other') {
    return failed(
      name,
      new Error('This question was already answered with other answers, and the call continued with those'),
    );
  }
  if (error instanceof CallRefused) return failed(name, invalidState());
  return failed(name, isParleyError(error) || error instanceof Error ? error : new Error(String(error)));
}

function failed(name: string, error: Error): StraightResult {
  return { ...encodeError(name, errorData(error)) } as StraightResult;
}
