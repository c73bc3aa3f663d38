import type { Operation } from 'effection';
import { isParleyError, toError } from '../core/errors/errors.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallOutcome, TurnIo } from './calls.ts';
import type { SessionErrorCode } from './events.ts';
import type { ChatEngineOptions } from './options.ts';
import { errorResult } from './results.ts';
import type { AwaitingCall, ConversationState, ElicitResponse } from './state.ts';

/** The live or just ended session behind a call of this conversation. */
export function sessionOf(callId: string, options: ChatEngineOptions, io: TurnIo): Session | undefined {
  const { principal } = options;
  return options.manager.get({
    callId,
    conversation: io.conversation,
    ...(principal === undefined ? {} : { principal }),
  });
}

/** Ends the calls that the caller gives up. */
export function* abortPhase(
  state: ConversationState,
  aborts: ReadonlyArray<{ readonly callId: string; readonly reason?: string }>,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ConversationState> {
  let current = state;
  for (const { callId, reason = 'the user gave it up' } of aborts) {
    const call = current.awaiting.find((one) => one.callId === callId);
    if (!call) continue;
    yield* sessionOf(callId, options, io)?.abort(reason) ?? none();
    const outcome = yield* lost(call, 'SESSION_ABORTED', `The call was stopped: ${reason}.`, io);
    current = withOutcome(current, call, outcome);
  }
  return current;
}

/** Hands answers to the sessions that wait for them. A call that cannot take its answer is answered for. */
export function* answerPhase(
  state: ConversationState,
  responses: readonly ElicitResponse[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<ConversationState> {
  let current = state;
  for (const { callId, elicitId, result } of responses) {
    const call = current.awaiting.find((one) => one.callId === callId);
    const session = call && sessionOf(callId, options, io);
    if (!call || !session || session.ended()) continue;
    try {
      session.respondToElicit(elicitId, result);
    } catch (error) {
      if (isParleyError(error, 'ASK_NOT_FOUND') || isParleyError(error, 'ASK_CLOSED')) continue;
      yield* session.abort('its answer could not be taken');
      current = withOutcome(current, call, yield* lost(call, 'INTERNAL_ERROR', toError(error).message, io));
    }
  }
  return current;
}

/** What a call that is nowhere to be found leaves: an error event, and a result so that the conversation goes on. */
export function* sessionLost(call: AwaitingCall, io: TurnIo): Operation<CallOutcome> {
  const text = 'The call is lost: it expired, or the program that ran it was restarted.';
  return yield* lost(call, 'SESSION_NOT_FOUND', text, io);
}

function* lost(
  call: AwaitingCall,
  code: SessionErrorCode,
  message: string,
  io: TurnIo,
): Operation<CallOutcome> {
  yield* io.emit({
    type: 'plugin_session_error',
    callId: call.callId,
    toolName: call.toolName,
    code,
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

function withOutcome(state: ConversationState, call: AwaitingCall, outcome: CallOutcome): ConversationState {
  const awaiting = state.awaiting.filter((one) => one !== call);
  return outcome.type === 'done'
    ? { ...state, awaiting, results: [...state.results, outcome.result] }
    : state;
}

function* none(): Operation<void> {}
