import { all, type Operation, race, run, suspend } from 'effection';
import { createCalls } from '../calls/calls.ts';
import type { Calls } from '../calls/port.ts';
import { errorData } from '../core/errors/data/error-data.ts';
import { SamplingError } from '../core/errors/sampling-errors.ts';
import {
  blocksOf,
  type Message,
  type ToolResultContent,
  type ToolUseContent,
} from '../core/messages/content.ts';
import { isMessageContent } from '../core/messages/result-content.ts';
import { toolOf } from '../core/plugin/offer.ts';
import { checkOptions, type OptionNames } from '../core/schema/check-options.ts';
import { defined } from '../core/schema/defined.ts';
import type { SampleAnswer } from '../core/tool/ask.ts';
import type { SessionManager } from '../runtime/manager/manager.ts';
import { saidSomething } from '../runtime/sampling/index.ts';
import type { Answer } from '../runtime/session/ask.ts';
import { callNameOf, withOwnIds } from './call-ids.ts';
import { type CallOutcome, resumeCall, startModelCall, type TurnIo } from './calls.ts';
import type { ChatEvent, TurnEnd } from './events.ts';
import { fitHistory } from './fit-history.ts';
import { abortPhase, answerPhase, sessionLost } from './messages.ts';
import type { ChatEngineOptions } from './options.ts';
import { errorResult, limited, resultOf } from './results.ts';
import type { AwaitingCall, ChatRequestBody, ConversationState } from './state.ts';

/** Holds conversations: turns in, events out. The engine keeps nothing between turns but the sessions of its manager. */
export interface ChatEngine {
  /**
   * Runs one turn: aborts, then answers to calls that wait, then the model and its tools until it has nothing more to
   * ask. `stopped` ends it early and keeps what there is; halting the operation throws the turn away.
   */
  turn(
    request: ChatRequestBody,
    emit: (event: ChatEvent) => Operation<void>,
    stopped?: Operation<void>,
  ): Operation<ConversationState>;
}

const OPTIONS = Object.keys({
  manager: true,
  calls: true,
  tools: true,
  model: true,
  waiting: true,
  systemPrompt: true,
  principal: true,
  maxIterations: true,
  maxResult: true,
  maxHistory: true,
  confirm: true,
  keep: true,
  sessionId: true,
  find: true,
  catchUp: true,
} satisfies OptionNames<ChatEngineOptions>);

/** Makes a chat engine. It needs no set-up and no teardown: sessions belong to the manager. */
export function createChatEngine(options: ChatEngineOptions): ChatEngine {
  checkOptions('createChatEngine', options, OPTIONS);
  const calls = options.calls ?? callsOf(options.manager);
  return {
    turn: (request, emit, stopped = suspend()) =>
      turn(options, request, { calls, conversation: request.state.id, emit, stopped }),
  };
}

/** The calls of a manager, which has those of other engines, too. They are in no store. */
function callsOf(manager: SessionManager): Calls {
  return createCalls({
    ...{ manager, ttl: Number.POSITIVE_INFINITY, newRound: () => '', report() {}, run },
    // It is in MCP's form, as the runtime has it.
    give: (session, ask, wire, attempt) => session.respond(ask.id, wire as Answer, attempt),
  });
}

function* turn(
  options: ChatEngineOptions,
  request: ChatRequestBody,
  io: TurnIo,
): Operation<ConversationState> {
  const { emit } = io;
  let state = withMessage(request.state, request.message);

  function* finish(reason: TurnEnd, error?: unknown): Operation<ConversationState> {
    const failed = error === undefined ? {} : { error: errorData(error) };
    yield* emit({ type: 'turn_end', reason, state, ...failed });
    return state;
  }

  state = yield* abortPhase(state, [request.pluginAbort ?? []].flat(), options, io);
  state = yield* answerPhase(state, request.pluginElicitResponses ?? [], options, io);
  if (state.awaiting.length > 0) options.keep?.(state);
  state = yield* resume(state, options, io);
  if (state.awaiting.length > 0) return yield* finish('awaiting');

  let told = false;
  for (let round = 0; round < (options.maxIterations ?? 16); round++) {
    const { messages, shortened } = fitHistory(
      state.messages,
      options.maxHistory ?? Number.POSITIVE_INFINITY,
    );
    if (shortened) {
      state = { ...state, messages };
      if (!told) yield* emit({ type: 'history_shortened' });
      told = true;
    }
    const answer = yield* tryModel(state, options, io);
    // What its tools have done is done: the next turn has to know it.
    if ('error' in answer) return yield* finish('failed', answer.error);
    const before = state.messages;
    state = { ...state, messages: [...before, ...answer.messages] };
    if (answer.stopped) return yield* finish('stopped');
    const uses = toolUsesOf(state);
    if (uses.length === 0) return yield* finish('complete');
    options.keep?.({
      ...state,
      awaiting: uses.map(({ id, name }) => ({ callId: id, toolName: name, at: 0 })),
    });
    const outcomes = yield* all(
      uses.map((use) => telling(startModelCall(use, before, options, io), use.name, options, io)),
    );
    state = record(state, outcomes);
    if (state.awaiting.length > 0) return yield* finish('awaiting');
  }
  return yield* finish('iteration_limit');
}

/** Takes every call that waited as far as it goes now, and answers for those that are lost. */
function* resume(
  state: ConversationState,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ConversationState> {
  const outcomes = yield* all(
    state.awaiting.map((call) => {
      return telling(goOn(call, options, io), call.toolName, options, io);
    }),
  );
  return record({ ...state, awaiting: [] }, outcomes);
}

/** Goes on with a call. One that an earlier program began is looked for; a turn that is stopped meanwhile leaves it where it is. */
function* goOn(call: AwaitingCall, options: ChatEngineOptions, io: TurnIo): Operation<CallOutcome> {
  const name = callNameOf(call.callId, io.conversation, options);
  if (options.manager.get(name)) return yield* resumeCall(call, call.at, options, io);
  if (!options.find) return yield* sessionLost(call, options, io);
  const found = yield* race([options.find(name.callId), stop(io)]);
  if (found === 'stopped') return { type: 'awaiting', call };
  if (!found) return yield* sessionLost(call, options, io);
  if ('type' in found) return { type: 'done', result: resultOf(call.callId, found) };
  // What happened in it so far is no news.
  return yield* resumeCall(call, found.events().at(-1)?.at ?? 0, options, io);
}

/** Tells of a call as soon as it is done, whatever runs beside it; its result is as long as the model has room for. */
function* telling(
  call: Operation<CallOutcome>,
  toolName: string,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  const outcome = yield* call;
  if (outcome.type === 'awaiting') return outcome;
  const result = limited(outcome.result, options.maxResult);
  yield* io.emit({ type: 'tool_result', callId: result.toolUseId, toolName, result });
  return { type: 'done', result };
}

/** Adds what came of calls. When all of the last message's calls are answered, their results join the conversation. */
function record(state: ConversationState, outcomes: readonly CallOutcome[]): ConversationState {
  const awaiting = [...state.awaiting];
  const results = [...state.results];
  for (const outcome of outcomes) {
    if (outcome.type === 'awaiting') awaiting.push(outcome.call);
    else results.push(outcome.result);
  }
  return settle({ ...state, awaiting, results });
}

function settle(state: ConversationState): ConversationState {
  if (state.awaiting.length > 0) return state;
  const uses = toolUsesOf(state);
  const ordered: readonly ToolResultContent[] = uses.map(
    (use) =>
      state.results.find((one) => one.toolUseId === use.id) ??
      errorResult(
        use.id,
        `The result of "${use.name}" was lost. Run it again if its result is still needed.`,
      ),
  );
  const answered: readonly Message[] = ordered.length > 0 ? [{ role: 'user', content: ordered }] : [];
  return { ...state, messages: [...state.messages, ...answered, ...state.queued], results: [], queued: [] };
}

/** What the person says joins the conversation now, or after the results that the model still waits for. */
function withMessage(state: ConversationState, message: Message | undefined): ConversationState {
  if (!message) return state;
  return toolUsesOf(state).length > 0
    ? { ...state, queued: [...state.queued, message] }
    : { ...state, messages: [...state.messages, message] };
}

interface ModelTurn {
  readonly messages: readonly Message[];
  readonly stopped: boolean;
}

function* tryModel(
  state: ConversationState,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ModelTurn | { readonly error: unknown }> {
  try {
    return yield* askModel(state, options, io);
  } catch (error) {
    return { error };
  }
}

function* askModel(state: ConversationState, options: ChatEngineOptions, io: TurnIo): Operation<ModelTurn> {
  let said = '';
  function* onText(text: string): Operation<void> {
    said += text;
    yield* io.emit({ type: 'text', text });
  }
  const tools = options.tools().map((entry) => {
    const { name, description, parameters } = toolOf(entry).def;
    return { name, description, inputSchema: parameters.json };
  });
  const answer = yield* race([
    options.model.respond(
      {
        messages: state.messages,
        tools,
        ...defined({ systemPrompt: options.systemPrompt }),
      },
      onText,
    ),
    stop(io),
  ]);
  if (answer !== 'stopped') return { messages: [messageOf(answer, state.messages)], stopped: false };
  return {
    messages: said === '' ? [] : [{ role: 'assistant', content: { type: 'text', text: said } }],
    stopped: true,
  };
}

/** The model's answer as a message that every model takes. @throws `SamplingError` for what is none */
function messageOf(answer: Partial<SampleAnswer> | undefined, before: readonly Message[]): Message {
  const { content } = answer ?? {};
  if (content === undefined || ![content].flat().every(isMessageContent)) {
    throw new SamplingError(
      'The answer of the model cannot be used: its content is neither a content block nor a list of them.',
    );
  }
  return withOwnIds(saidSomething({ content }), before);
}

function* stop(io: TurnIo): Operation<'stopped'> {
  yield* io.stopped;
  return 'stopped';
}

/** The tool calls of the last message, if that is the model's. */
function toolUsesOf(state: ConversationState): readonly ToolUseContent[] {
  const last = state.messages.at(-1);
  if (last?.role !== 'assistant') return [];
  return blocksOf(last).filter((block) => block.type === 'tool_use');
}
