import type { Message, ToolResultContent } from '../core/messages/content.ts';
import type { ElicitAnswer } from '../core/tool/ask.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';

/** A call that waits for a person, and its question. `question` is absent while the call runs on by itself. */
export interface AwaitingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly question?: ElicitAsk;
  /** Up to which event of the session the conversation has been told. */
  readonly at: number;
}

/**
 * A conversation between turns: JSON, so that a caller may keep it anywhere. While `awaiting` is not empty the last
 * message holds tool calls that are not answered yet: `results` are those that are, and `queued` what the person said
 * meanwhile.
 */
export interface ConversationState {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly awaiting: readonly AwaitingCall[];
  readonly results: readonly ToolResultContent[];
  readonly queued: readonly Message[];
}

/** An answer to the question of a call that waits. */
export interface PluginElicitResponse {
  /** As the event of the question said. */
  readonly sessionId: string;
  /** The call's id in the conversation, for records of calls. */
  readonly callId?: string | undefined;
  readonly elicitId: string;
  readonly result: ElicitAnswer<unknown>;
}

/** A call that is given up. */
export interface PluginAbort {
  /** As the event of the question said. */
  readonly sessionId: string;
  readonly reason?: string | undefined;
}

/** What one turn starts from. */
export interface ChatRequestBody {
  readonly state: ConversationState;
  /** What the person says now. */
  readonly message?: Message;
  readonly pluginElicitResponses?: readonly PluginElicitResponse[];
  readonly pluginAbort?: PluginAbort | readonly PluginAbort[];
}

/** A conversation that begins, with whatever was said before. */
export function newConversation(id: string, messages: readonly Message[] = []): ConversationState {
  return { id, messages, awaiting: [], results: [], queued: [] };
}
