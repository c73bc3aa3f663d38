import type { ContentBlock, ToolResultContent } from '../core/messages/content.ts';
import { resultContentOf } from '../core/messages/result-content.ts';
import { stoppedText } from '../core/messages/stopped-text.ts';
import type { EndEvent, ErrorData } from '../runtime/session/events.ts';

/** A result that tells the model what failed and what to do. */
export function errorResult(callId: string, text: string): ToolResultContent {
  return { type: 'tool_result', toolUseId: callId, content: [{ type: 'text', text }], isError: true };
}

const MOST = 1_000_000;

/** A result of which all text together has no more than so many characters; what is left out is said. */
export function limited(result: ToolResultContent, most = MOST): ToolResultContent {
  let left = most;
  const content = result.content.map((block) => {
    const given = textIn(block);
    if (given === undefined) return block;
    const { length } = given;
    const kept = given.slice(0, left).replace(/[\ud800-\udbff]$/, '');
    left -= kept.length;
    if (kept.length === length) return block;
    const note = `[Cut: ${length - kept.length} of ${length} characters are left out, because the result was too long. Ask for a smaller part of it.]`;
    return withText(block, kept === '' ? note : `${kept}\n${note}`);
  });
  return left === most ? result : { ...result, content };
}

/** The text that a model reads of a block; what is not text stays as it is. */
function textIn(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' ? block.resource.text : undefined;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  if (block.type === 'resource') return { ...block, resource: { ...block.resource, text } };
  return block.type === 'text' ? { ...block, text } : block;
}

/** How a call ended, as the result of the model's tool call. */
export function resultOf(callId: string, end: EndEvent): ToolResultContent {
  switch (end.type) {
    case 'result':
      return { type: 'tool_result', toolUseId: callId, content: resultContentOf(end.value) };
    case 'error':
      return errorResult(callId, messageOf(end.error));
    case 'aborted':
      return errorResult(callId, stoppedText('The call', end.reason));
  }
}

function messageOf(error: ErrorData): string {
  const cause =
    error.cause && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  const message = error.message.replace(/^(?:The tool failed: )+/, '');
  return `The tool failed: ${message}${cause}`;
}
