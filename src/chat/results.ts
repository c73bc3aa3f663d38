import type { ToolResultContent } from '../core/messages/content.ts';
import { resultContentOf } from '../core/messages/result-content.ts';
import type { EndEvent, ErrorData } from '../runtime/session/events.ts';

/** A result that tells the model what went wrong and what to do. */
export function errorResult(callId: string, text: string): ToolResultContent {
  return { type: 'tool_result', toolUseId: callId, content: [{ type: 'text', text }], isError: true };
}

/** How a call ended, as the result of the model's tool call. */
export function resultOf(callId: string, end: EndEvent): ToolResultContent {
  switch (end.type) {
    case 'result':
      return { type: 'tool_result', toolUseId: callId, content: resultContentOf(end.value) };
    case 'error':
      return errorResult(callId, messageOf(end.error));
    case 'aborted':
      return errorResult(
        callId,
        `The call was stopped: ${end.reason}. Do not run it again unless the user asks.`,
      );
  }
}

function messageOf(error: ErrorData): string {
  const cause =
    error.cause && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  return `The tool failed: ${error.message}${cause}`;
}
