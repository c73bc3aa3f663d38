import { blocksOf, type Message, type MessageContent } from '../core/messages/content.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import type { ChatEngineOptions } from './options.ts';

/** What a call of a conversation is called. */
export function callNameOf(
  callId: string,
  conversation: string,
  { sessionId, principal = '' }: Pick<ChatEngineOptions, 'sessionId' | 'principal'>,
): CallName {
  return { principal, conversation, callId: sessionId ? sessionId(callId, conversation) : callId };
}

/**
 * The model's answer as a message in which each tool call has an id of its own in the whole conversation. Some models number
 * their calls from the beginning in each answer, or give one id to several: their results would be taken for each other's.
 */
export function withOwnIds(
  content: MessageContent | readonly MessageContent[],
  before: readonly Message[],
): Message {
  const taken = new Set<string>();
  for (const message of before) {
    for (const block of blocksOf(message)) if (block.type === 'tool_use') taken.add(block.id);
  }
  const own = [content].flat().map((block): MessageContent => {
    if (block.type !== 'tool_use') return block;
    let id = block.id || 'call';
    for (let nth = 2; taken.has(id); nth++) id = `${block.id || 'call'}_${nth}`;
    taken.add(id);
    return id === block.id ? block : { ...block, id };
  });
  return { role: 'assistant', content: own };
}
