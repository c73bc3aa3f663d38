import type { Message, MessageContent } from '../../../core/messages/content.ts';
import { blocksOf } from '../../../core/messages/content.ts';

/** JSON in a fence. */
export function jsonFence(value: unknown): string {
  return fence(JSON.stringify(value, undefined, 2) ?? 'null', 'json');
}

/** A text in a fence that nothing in it can end. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** A short text on a line of Markdown: one line, and nothing in it is markup. */
export function inlineText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|!~&]/g, '\\$&');
}

/** A name on a line of Markdown. */
export function name(text: string): string {
  return /^[\w-]+$/.test(text) ? `\`${text}\`` : inlineText(text);
}

/** Something long that a reader opens when they want it. */
export function folded(summary: string, body: string): string {
  return `<details><summary>${summary.replaceAll(/[<>&]/g, '')}</summary>\n\n${body}\n\n</details>`;
}

/** The messages of a conversation, one under the other. */
export function messagesText(messages: readonly Message[]): string {
  return messages.map((message) => `**${message.role}**\n\n${contentText(message)}`).join('\n\n');
}

/** What a message says. Pictures and sound are named, not shown. */
export function contentText(message: Pick<Message, 'content'>): string {
  return blocksOf(message).map(blockText).join('\n\n');
}

function blockText(block: MessageContent): string {
  switch (block.type) {
    case 'text':
      return fence(block.text, 'text');
    case 'image':
    case 'audio':
      return `_${block.type}, ${inlineText(block.mimeType)}, ${Math.round((block.data.length * 3) / 4)} bytes_`;
    default:
      return jsonFence(block);
  }
}
