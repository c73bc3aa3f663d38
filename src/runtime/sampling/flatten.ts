import {
  blocksOf,
  type ContentBlock,
  type Message,
  type MessageContent,
} from '../../core/messages/content.ts';
import { SCHEMA_TOOL_NAME } from '../../core/tool/sample.ts';
import { beginningOf } from '../data/json-messages.ts';

/**
 * The messages with tool calls and their results told as text: for a client or a request that knows no tools, and for the
 * history, in which user and assistant take turns.
 */
export function flattenToolBlocks(messages: readonly Message[]): readonly Message[] {
  return isPlain(messages) ? messages : messages.map(flattenMessage);
}

/** A long history is not looked through again for every sampling. */
function isPlain(messages: readonly Message[]): boolean {
  const { known, length } = beginningOf(messages) ?? { known: { plain: 0 }, length: 0 };
  for (let index = Math.min(known.plain, length); index < messages.length; index++) {
    if (hasToolBlocks(messages[index] as Message)) return false;
    if (index < length) known.plain = index + 1;
  }
  return true;
}

/** One message with its tool blocks told as text. */
export function flattenMessage(message: Message): Message {
  if (!hasToolBlocks(message)) return message;
  const blocks = blocksOf(message).flatMap(flattenBlock);
  const onlyText = blocks.every((block) => block.type === 'text');
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { role: message.role, content: onlyText ? { type: 'text', text } : blocks };
}

function hasToolBlocks(message: Message): boolean {
  return blocksOf(message).some((block) => block.type === 'tool_use' || block.type === 'tool_result');
}

function flattenBlock(block: MessageContent): readonly MessageContent[] {
  if (block.type === 'tool_use') {
    const input = JSON.stringify(block.input);
    return [
      { type: 'text', text: block.name === SCHEMA_TOOL_NAME ? input : `I call ${block.name} with ${input}` },
    ];
  }
  if (block.type === 'tool_result') return block.content.map(flattenResult);
  return [block];
}

function flattenResult(block: ContentBlock): MessageContent {
  switch (block.type) {
    case 'resource_link':
      return { type: 'text', text: `${block.name}: ${block.uri}` };
    case 'resource':
      return { type: 'text', text: block.resource.text ?? block.resource.uri };
    default:
      return block;
  }
}
