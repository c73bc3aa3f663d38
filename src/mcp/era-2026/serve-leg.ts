import type { Operation } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import { ElicitationInvalidError } from '../../core/errors/elicit-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import { sizeOf } from '../../runtime/data/size-of.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import { MAX_ATTEMPTS } from '../../runtime/session/attempts.ts';
import { missingCapability, requirementOf } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Callable } from '../catalog/callable.ts';
import { keepAlive } from '../heartbeat.ts';
import type { ServerParts } from '../host.ts';
import { missingCapabilities } from '../wire/capabilities.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { digestOf, type StateBinding } from '../wire/state.ts';
import { decodeInputResponse, encodeInputRequests } from './input-requests.ts';
import type { ParkedCall, ParkedCalls } from './parked-calls.ts';

/** One request of a 2026-era call: the first, or one that brings answers. */
export interface LegRequest {
  readonly callable: Callable;
  readonly client: Client;
  readonly principal: string;
  /** The `requestState` it carries, if any. */
  readonly state: unknown;
  /** The `inputResponses` it carries, by key. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** Aborts when the client closes the stream: the only way to cancel. */
  readonly signal: AbortSignal;
  heartbeat(message: string): void;
}

type Result = Readonly<Record<string, unknown>>;

/** Runs a call until it ends or waits for its client, and gives what the request is answered with. @throws `RpcError` */
export function* serveLeg(host: ServerParts, parked: ParkedCalls, request: LegRequest): Operation<Result> {
  const { client, signal } = request;
  const call = yield* callOf(host, parked, request);
  const { session } = call;
  const abort = () => {
    const down = host.run(() => session.abort('the client closed the request'));
    down.catch((cause) => host.report('a cancelled call did not end well', cause));
  };
  const stopBeating = keepAlive(session, host.heartbeat, () => request.heartbeat('waiting for an answer'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const stopAnswering = answer(call, request);
  try {
    for (;;) {
      const leg = yield* drive(session, client, 'blocked', { after: call.at });
      if (leg.type !== 'parked') {
        parked.end(call);
        return finish(request, leg);
      }
      call.at = leg.at;
      if (failUnanswerable(session, client, leg.asks)) continue;
      return {
        resultType: 'input_required',
        inputRequests: encodeInputRequests(leg.asks),
        requestState: parked.park(call),
      };
    }
  } catch (error) {
    parked.end(call);
    throw error;
  } finally {
    stopAnswering();
    stopBeating();
    signal.removeEventListener('abort', abort);
  }
}

function* callOf(host: ServerParts, parked: ParkedCalls, request: LegRequest): Operation<ParkedCall> {
  const { callable, principal, state } = request;
  const binding: StateBinding = {
    principal,
    method: callable.method,
    name: callable.name,
    digest: digestOf(callable.given),
  };
  if (state !== undefined) return parked.resume(state, binding);
  return parked.begin(yield* create(host, request), binding);
}

function* create(host: ServerParts, request: LegRequest): Operation<Session> {
  const { callable, client, principal } = request;
  try {
    return yield* host.manager.create({
      tool: callable.served,
      params: callable.params,
      capabilities: client.capabilities(),
      principal,
      retain: true,
    });
  } catch (error) {
    if (isParleyError(error, 'SESSION_LIMIT')) throw new RpcError(RPC.refused, error.message);
    if (isParleyError(error, 'CAPABILITY')) throw missing(request, errorData(error));
    throw new Refused(callable.refuse(errorData(error)));
  }
}

/** A call that could not begin, with what the request is answered with all the same. */
export class Refused extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('the call was refused');
    this.result = result;
  }
}

/** Most answers that are kept for questions to come, and the most memory that they may take, bytes. */
const MAX_EARLY = 100;
const MAX_EARLY_BYTES = 64 * 1024;

/**
 * Gives the answers of a request to the questions they are for: those it was asked, and those that open later under a
 * name of their own (an answer may come before its question). Returns what ends that.
 */
function answer(call: ParkedCall, { client, state, responses }: LegRequest): () => void {
  const { session, early } = call;
  const give = (ask: Ask, wire: unknown) => {
    // Somebody else answers this one, whatever the client sends.
    if (!isTakenElsewhere(client, ask)) return;
    try {
      session.respond(ask.id, decodeInputResponse(ask, wire), ask.attempt);
    } catch {
      // No answer at all, or too late: the question is still open, and is asked again, or it is closed.
    }
  };
  const giveEarly = (ask: Ask) => {
    if (ask.attempt > 1 || !early.has(ask.wireKey)) return;
    const wire = early.get(ask.wireKey);
    early.delete(ask.wireKey);
    give(ask, wire);
  };

  const asked = state === undefined ? [] : session.openAsks();
  const keys = new Set(asked.map((ask) => ask.wireKey));
  for (const [key, wire] of Object.entries(responses)) {
    if (!keys.has(key) && !key.includes('#') && early.size < MAX_EARLY && fits(early, key, wire))
      early.set(key, wire);
  }
  const stop = session.subscribe((event) => {
    if (!('ask' in event)) return;
    const { ask } = event;
    if (ask.kind === 'elicit' && ask.attempt > MAX_ATTEMPTS) {
      session.fail(ask.id, new ElicitationInvalidError(ask.ref.key, MAX_ATTEMPTS, ask.problem ?? ''));
    } else giveEarly(ask);
  });
  for (const ask of asked) if (Object.hasOwn(responses, ask.wireKey)) give(ask, responses[ask.wireKey]);
  if (state === undefined) for (const ask of session.openAsks()) giveEarly(ask);
  return stop;
}

/** Whether an ask goes to the client at the other end of the wire: it can answer, and no verb here does it. */
function isTakenElsewhere(client: Client, ask: Ask): boolean {
  const who = client.pick ? client.pick(ask) : client;
  return who?.can(ask) === true && who[ask.kind] === undefined;
}

function fits(early: ReadonlyMap<string, unknown>, key: string, wire: unknown): boolean {
  return sizeOf([...early, key, wire], MAX_EARLY_BYTES) <= MAX_EARLY_BYTES;
}

/** Fails questions that this request's client cannot be asked. Says whether there were any. */
function failUnanswerable(session: Session, client: Client, asks: readonly Ask[]): boolean {
  let failed = false;
  for (const ask of asks) {
    if (client.can(ask)) continue;
    const lacking = missingCapability(requirementOf(ask), client.capabilities()) ?? 'elicitation';
    session.fail(ask.id, new McpCapabilityError(session.toolName, lacking));
    failed = true;
  }
  return failed;
}

function finish(request: LegRequest, end: EndEvent): Result {
  // A tool that could not go on without what the client lacks: the client is told in the protocol's own words.
  if (end.type === 'error' && end.error.code === 'CAPABILITY') throw missing(request, end.error);
  return request.callable.finish(end);
}

function missing({ callable, client }: LegRequest, error: ErrorData): RpcError {
  const lacking = String(error.details?.capability ?? '');
  const requiredCapabilities =
    missingCapabilities(callable.tool.def.requires, client.capabilities()) ??
    missingCapabilities(
      {
        elicitation: lacking === 'elicitation',
        sampling: lacking === 'sampling.tools' ? { tools: true } : lacking === 'sampling',
        roots: lacking === 'roots',
      },
      client.capabilities(),
    ) ??
    {};
  return new RpcError(RPC.missingCapability, error.message, { requiredCapabilities });
}
