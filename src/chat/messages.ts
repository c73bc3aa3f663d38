import type { Operation } from 'effection';
import type { CallMessage } from '../calls/messages.ts';
import { toError } from '../core/errors/parley-error.ts';
import { sentence } from '../core/messages/stopped-text.ts';
import type { Ask } from '../runtime/session/ask.ts';
import { callNameOf } from './call-ids.ts';
import type { CallOutcome, TurnIo } from './calls.ts';
import type { SessionErrorCode } from './events.ts';
import type { ChatEngineOptions } from './options.ts';
import { errorResult } from './results.ts';
import type { AwaitingCall, ConversationState, PluginAbort, PluginElicitResponse } from './state.ts';

/** The call that waits, by what the event of its question called its session. */
function awaitingIn(
  { awaiting }: ConversationState,
  sessionId: string,
  options: ChatEngineOptions,
  { conversation }: TurnIo,
): AwaitingCall | undefined {
  return awaiting.find(({ callId }) => callNameOf(callId, conversation, options).callId === sessionId);
}

/** Ends the calls that the caller gives up. */
export function* abortPhase(
  state: ConversationState,
  aborts: readonly PluginAbort[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ConversationState> {
  let current = state;
  for (const { sessionId, reason = 'the user cancelled it' } of aborts) {
    const call = awaitingIn(current, sessionId, options, io);
    if (!call) continue;
    const stop = { id: 'given up', digest: '', stop: reason };
    yield* io.calls.send(callNameOf(call.callId, io.conversation, options), stop);
    const message = `The call was stopped: ${sentence(reason)}`;
    current = yield* withOutcome(
      current,
      call,
      yield* lost(call, 'SESSION_ABORTED', message, options, io),
      io,
    );
  }
  return current;
}

/** Sends answers to the calls that wait for them. A call that cannot take its answer is answered for. */
export function* answerPhase(
  state: ConversationState,
  responses: readonly PluginElicitResponse[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ConversationState> {
  let current = state;
  function* ignored({ sessionId, elicitId }: PluginElicitResponse, message: string): Operation<void> {
    yield* io.emit({ type: 'plugin_answer_ignored', sessionId, elicitId, message });
  }
  for (const response of responses) {
    const { sessionId, elicitId, result } = response;
    const call = awaitingIn(current, sessionId, options, io);
    const name = call && callNameOf(call.callId, io.conversation, options);
    const session = name && options.manager.get(name);
    if (!call || !name || !session || session.ended()) {
      yield* ignored(response, 'No call of this conversation waits for this answer.');
      continue;
    }
    const ask = session.openAsks().find(({ id }) => id === elicitId);
    try {
      const sent = ask && (yield* io.calls.send(name, answerTo(ask, result)));
      if (sent === 'left' || sent === 'again') continue;
      yield* ignored(response, 'The call no longer waits for an answer to this question.');
    } catch (error) {
      yield* session.abort('its answer could not be taken');
      const outcome = yield* lost(call, 'INTERNAL_ERROR', toError(error).message, options, io);
      current = yield* withOutcome(current, call, outcome, io);
    }
  }
  return current;
}

/** What a call that is nowhere to be found leaves: an error event, and a result so that the conversation goes on. */
export function* sessionLost(
  call: AwaitingCall,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  const text = 'The call is lost: it expired, or the program that ran it was restarted.';
  return yield* lost(call, 'SESSION_NOT_FOUND', text, options, io);
}

function* lost(
  call: AwaitingCall,
  error: SessionErrorCode,
  message: string,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  yield* io.emit({
    type: 'plugin_session_error',
    sessionId: callNameOf(call.callId, io.conversation, options).callId,
    callId: call.callId,
    toolName: call.toolName,
    error,
    message,
  });
  return {
    type: 'done',
    result: errorResult(
      call.callId,
      `${message} Run "${call.toolName}" again if its result is still needed.`,
    ),
  };
}

function* withOutcome(
  state: ConversationState,
  call: AwaitingCall,
  outcome: CallOutcome,
  io: TurnIo,
): Operation<ConversationState> {
  if (outcome.type !== 'done') return state;
  const { callId, toolName } = call;
  yield* io.emit({ type: 'tool_result', callId, toolName, result: outcome.result });
  const awaiting = state.awaiting.filter((one) => one !== call);
  return { ...state, awaiting, results: [...state.results, outcome.result] };
}

function answerTo({ id, wireKey, attempt }: Ask, result: PluginElicitResponse['result']): CallMessage {
  const answers = { [wireKey]: result };
  return { id: `${id} ${attempt}`, digest: JSON.stringify(result), answers, seen: { [id]: attempt } };
}
