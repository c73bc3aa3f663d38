import { type Operation, race, scoped, spawn } from 'effection';
import { toError } from '../core/errors/parley-error.ts';
import type { Message, ToolResultContent, ToolUseContent } from '../core/messages/content.ts';
import { asLabel } from '../core/messages/label.ts';
import { toolOf } from '../core/plugin/offer.ts';
import { defined } from '../core/schema/defined.ts';
import { unreadableInput } from '../core/tool/tool-input.ts';
import { compose } from '../runtime/drive/compose.ts';
import { drive, type Parked } from '../runtime/drive/drive.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import { composeCapabilities } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import { sessionIdOf } from './call-ids.ts';
import type { ChatEvent } from './events.ts';
import { fitHistory } from './fit-history.ts';
import { followToEnd, questionEventOf } from './follow.ts';
import type { ChatModel } from './model.ts';
import { modelClient } from './model-client.ts';
import type { ChatEngineOptions } from './options.ts';
import { parkableClient } from './park.ts';
import { errorResult, resultOf } from './results.ts';
import type { AwaitingCall } from './state.ts';

/** Where a call stands when its turn stops looking at it. */
export type CallOutcome =
  | { readonly type: 'done'; readonly result: ToolResultContent }
  | { readonly type: 'awaiting'; readonly call: AwaitingCall };

/** What a turn gives its calls. */
export interface TurnIo {
  readonly conversation: string;
  emit(event: ChatEvent): Operation<void>;
  /** Resolves when the caller stops the turn. */
  readonly stopped: Operation<void>;
}

/** How much of a conversation its calls are handed, characters of JSON: it is kept with each of them. */
const HANDED_ON = 100_000;

/**
 * Starts the call a model asked for and takes it as far as it goes. Never throws: what fails is the model's to read.
 *
 * @param messages the conversation before the answer that asks for it: its tool reads the newest of it
 */
export function* startModelCall(
  use: ToolUseContent,
  messages: readonly Message[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  yield* io.emit({ type: 'tool_call', callId: use.id, toolName: use.name, input: use.input });
  return yield* guarded(use.id, function* () {
    const note = options.catchUp && (yield* options.catchUp(use.name));
    const outcome = yield* guarded(use.id, () => start(use, messages, options, io));
    if (note === undefined || outcome.type === 'awaiting') return outcome;
    const content = [...outcome.result.content, { type: 'text', text: note } as const];
    return { type: 'done', result: { ...outcome.result, content } };
  });
}

/** Takes a call that waited as far as it goes now. Never throws. */
export function* resumeCall(
  call: AwaitingCall,
  session: Session,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  return yield* guarded(call.callId, () => advance(call.callId, session, options, io, call.at));
}

/** Takes on a call that another program began: what happened in it so far is no news. Never throws. */
export function* adoptCall(
  { callId }: AwaitingCall,
  found: Session | EndEvent,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  if ('type' in found) return { type: 'done', result: resultOf(callId, found) };
  const after = found.events().at(-1)?.at ?? 0;
  return yield* guarded(callId, () => advance(callId, found, options, io, after));
}

function* guarded(callId: string, op: () => Operation<CallOutcome>): Operation<CallOutcome> {
  try {
    return yield* scoped(op);
  } catch (error) {
    return { type: 'done', result: errorResult(callId, toError(error).message) };
  }
}

function* start(
  use: ToolUseContent,
  messages: readonly Message[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  const entries = options.tools();
  const entry = entries.find((one) => toolOf(one).name === use.name);
  if (!entry) {
    const names = entries.map((one) => toolOf(one).name).join(', ') || 'none';
    return {
      type: 'done',
      result: errorResult(use.id, `There is no tool "${asLabel(use.name)}". Tools there are: ${names}.`),
    };
  }
  const unread = unreadableInput(use);
  if (unread !== undefined) {
    return { type: 'done', result: errorResult(use.id, `"${use.name}" did not run: ${unread}.`) };
  }
  const proposed = { callId: use.id, tool: toolOf(entry), input: use.input };
  if (options.confirm && !(yield* options.confirm(proposed))) {
    const text = `The user did not allow "${use.name}" to run. Continue without it, or ask the user what they want instead.`;
    return { type: 'done', result: errorResult(use.id, text) };
  }
  const { principal, waiting, model } = options;
  const session = yield* options.manager.create({
    tool: entry,
    params: use.input,
    callId: sessionIdOf(use.id, io.conversation, options),
    conversation: io.conversation,
    retain: true,
    parentMessages: fitHistory(messages, HANDED_ON).messages,
    capabilities:
      waiting.mode === 'park'
        ? parkableClient(answering(waiting.client, model)).capabilities()
        : composeCapabilities([waiting.capabilities, ...samplers(options).map((one) => one.capabilities())]),
    ...defined({ principal }),
  });
  if (waiting.mode === 'stay') yield* waiting.open(session);
  return yield* advance(use.id, session, options, io);
}

/** Takes a running session as far as it goes: to its end, to an open question, or to the turn's stop. */
function* advance(
  callId: string,
  session: Session,
  options: ChatEngineOptions,
  io: TurnIo,
  after = 0,
): Operation<CallOutcome> {
  const outcome = yield* race([follow(callId, session, options, io, after), stopOf(io)]);
  if (outcome === 'stopped') return yield* leave(callId, session, options, io);
  if (outcome.type !== 'parked') return done(callId, session, outcome, options, io);
  const question = openQuestion(session);
  if (question) {
    yield* io.emit(questionEventOf(session, question, callId));
  }
  return { type: 'awaiting', call: awaitingOf(callId, session) };
}

function* follow(
  callId: string,
  session: Session,
  options: ChatEngineOptions,
  io: TurnIo,
  after: number,
): Operation<EndEvent | Parked> {
  const { waiting, model } = options;
  if (waiting.mode === 'park') {
    const client = parkableClient(answering(waiting.client, model), callId, io.emit);
    return yield* drive(session, client, 'blocked', { after });
  }
  for (const sampler of samplers(options)) yield* spawn(() => drive(session, sampler, 'end'));
  return yield* followToEnd(callId, session, io.emit, after);
}

/** Who answers what a person is not asked. */
function answering(client: Client | undefined, model: ChatModel): Client {
  return client ? compose(client, modelClient(model)) : modelClient(model);
}

/** Who samples beside a surface that cannot. */
function samplers({ waiting, model }: ChatEngineOptions): readonly Client[] {
  return waiting.mode === 'stay' && !waiting.capabilities.sampling ? [modelClient(model)] : [];
}

/** What a stopped turn does with a call: an open question stays, anything else is aborted. */
function* leave(
  callId: string,
  session: Session,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  if (!session.ended() && openQuestion(session))
    return { type: 'awaiting', call: awaitingOf(callId, session) };
  const reason = 'the user stopped the turn';
  yield* session.abort(reason);
  return done(callId, session, session.ended() ?? { type: 'aborted', at: 0, time: 0, reason }, options, io);
}

/** The conversation has its result now: nobody comes back for the session. */
function done(
  callId: string,
  session: Session,
  end: EndEvent,
  { manager, principal }: ChatEngineOptions,
  io: TurnIo,
): CallOutcome {
  manager.forget({
    callId: session.id,
    conversation: io.conversation,
    ...defined({ principal }),
  });
  return { type: 'done', result: resultOf(callId, end) };
}

function openQuestion(session: Session): ElicitAsk | undefined {
  return session.openAsks().find((ask) => ask.kind === 'elicit');
}

function awaitingOf(callId: string, session: Session): AwaitingCall {
  const question = openQuestion(session);
  const at = session.events().at(-1)?.at ?? 0;
  return { callId, toolName: session.toolName, at, ...(question ? { question } : {}) };
}

function* stopOf(io: TurnIo): Operation<'stopped'> {
  yield* io.stopped;
  return 'stopped';
}
