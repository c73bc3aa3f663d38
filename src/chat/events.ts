import type { ErrorData } from '../core/errors/data/error-data.ts';
import type { FormJsonSchema } from '../core/form/form-schema.ts';
import type { ToolResultContent } from '../core/messages/content.ts';
import type { JsonObject } from '../core/messages/json.ts';
import type { LogLevel } from '../core/tool/context.ts';
import type { ConversationState } from './state.ts';

/** Why a call that waited could not go on. */
export type SessionErrorCode = 'SESSION_NOT_FOUND' | 'SESSION_ABORTED' | 'INTERNAL_ERROR';

/** Why a turn ended. `awaiting`: questions are open; `stopped`: the caller stopped it; `failed`: the model did. */
export type TurnEnd = 'complete' | 'awaiting' | 'stopped' | 'iteration_limit' | 'failed';

/** A call waits for a person. `sessionId` is what an answer or an abort names; `callId` is the call's in the conversation. */
export interface PluginElicitRequestEvent {
  readonly type: 'plugin_elicit_request';
  readonly sessionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly elicitId: string;
  /** The question's name among those that the tool declares. */
  readonly key: string;
  readonly message: string;
  /** Why it is asked again: what is wrong with the last answer. */
  readonly problem?: string;
  /** What the content of an accepted answer has to fit. */
  readonly schema: FormJsonSchema;
  /** What the tool hands to the view of this question. */
  readonly context?: JsonObject;
  /** A page to open instead of a form, in plain ASCII: show it whole, and open it when the person agrees. Then accept, with `{}`. */
  readonly url?: string;
}

/** A call that waited cannot go on: its session is not there any more. */
export interface PluginSessionErrorEvent {
  readonly type: 'plugin_session_error';
  readonly sessionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly error: SessionErrorCode;
  readonly message: string;
}

/** What happens in a turn, in order. The last event is `turn_end` with the state to pass to the next one. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly callId: string;
      readonly toolName: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'tool_log'; readonly callId: string; readonly level: LogLevel; readonly message: string }
  | {
      readonly type: 'tool_progress';
      readonly callId: string;
      readonly message: string;
      readonly value?: number;
      readonly total?: number;
    }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly toolName: string;
      readonly result: ToolResultContent;
    }
  /** The conversation had become too long for the model: its beginning is left out from now on. */
  | { readonly type: 'history_shortened' }
  | PluginElicitRequestEvent
  | PluginSessionErrorEvent
  /** An answer for which nobody waits: the call has ended, or its question has. Nothing came of it. */
  | {
      readonly type: 'plugin_answer_ignored';
      readonly sessionId: string;
      readonly elicitId: string;
      readonly message: string;
    }
  /** `error` says what failed; the state is as far as the turn came. */
  | {
      readonly type: 'turn_end';
      readonly reason: TurnEnd;
      readonly state: ConversationState;
      readonly error?: ErrorData;
    };
