import type { ToolResultContent } from '../core/messages/content.ts';
import type { LogLevel } from '../core/tool/context.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import type { ConversationState } from './state.ts';

/** Why a parked call could not go on. */
export type SessionErrorCode = 'SESSION_NOT_FOUND' | 'SESSION_ABORTED' | 'INTERNAL_ERROR';

/** Why a turn ended. `awaiting`: questions are open; `stopped`: the caller stopped it. */
export type TurnEnd = 'complete' | 'awaiting' | 'stopped' | 'iteration_limit';

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
  | {
      readonly type: 'plugin_awaiting';
      readonly callId: string;
      readonly toolName: string;
      readonly question: ElicitAsk;
    }
  | {
      readonly type: 'plugin_session_error';
      readonly callId: string;
      readonly toolName: string;
      readonly code: SessionErrorCode;
      readonly message: string;
    }
  | { readonly type: 'turn_end'; readonly reason: TurnEnd; readonly state: ConversationState };
