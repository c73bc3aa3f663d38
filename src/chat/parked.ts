import type { Operation } from 'effection';
import { isParleyError, toError } from '../core/errors/errors.ts';
import { sentence } from '../core/messages/stopped-text.ts';
import { defined } from '../core/schema/defined.ts';
import type { Session } from '../runtime/session/session.ts';
import { sessionIdOf } from './call-ids.ts';
import type { CallOutcome, TurnIo } from './calls.ts';
import type { SessionErrorCode } from './events.ts';
import type { ChatEngineOptions } from './options.ts';
import { errorResult } from './results.ts';
import type { AwaitingCall, ConversationState, PluginAbort, PluginElicitResponse } from './state.ts';

/** The live or just ended session behind a call of this conversation. */
export function sessionOf(callId: string, options: ChatEngineOptions, io: TurnIo): Session | undefined {
  const { principal } = options;
  return options.manager.get({
    callId: sessionIdOf(callId, io.conversation, options),
    conversation: io.conversation,
    ...defined({ principal }),
  });
}

/** The call that waits in a session, by what the event of its question called that. */
function awaitingIn(
  { awaiting }: ConversationState,
  sessionId: string,
  options: ChatEngineOptions,
  io: TurnIo,
): AwaitingCall | undefined {
  return awaiting.find(({ callId }) => sessionIdOf(callId, io.conversation, options) === sessionId);
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
    yield* sessionOf(call.callId, options, io)?.abort(reason) ?? none();
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

/** Hands answers to the sessions that wait for them. A call that cannot take its answer is answered for. */
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
    const session = call && sessionOf(call.callId, options, io);
    if (!call || !session || session.ended()) {
      yield* ignored(response, 'No call of this conversation waits for this answer.');
      continue;
    }
    try {
      session.respondToElicit(elicitId, result);
    } catch (error) {
      if (isParleyError(error, 'ASK_NOT_FOUND') || isParleyError(error, 'ASK_CLOSED')) {
        yield* ignored(response, 'The call no longer waits for an answer to this question.');
        continue;
      }
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
    sessionId: sessionIdOf(call.callId, io.conversation, options),
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

function* none(): Operation<void> {}
