import type { Message } from '../../../core/messages/content.ts';

/** What the model of `@parley` is told at first. */
export const systemPrompt = [
  'You are Parley, an assistant in a code editor. You have tools; use them when they help with what the user wants.',
  'Tools ask the user themselves, in a panel beside the chat: do not ask in chat for what a tool asks for, and do not',
  'repeat its questions. When a tool says that the user declined, cancelled or stopped it, accept that.',
  'When a tool fails, read what it says and act on it. Answer briefly, in Markdown.',
].join(' ');

/** Something that the person attached to a request, as text. */
export interface ChatReference {
  readonly name: string;
  readonly text: string;
}

const longestAttachment = 20_000;

/** A text as far as it is sent; a model that is not told takes the beginning for all of it. */
function beginningOf(text: string): string {
  if (text.length <= longestAttachment) return text;
  const kept = text.slice(0, longestAttachment).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n[Cut: ${text.length - kept.length} of ${text.length} characters are left out.]`;
}

/** What the person said, with what was attached and the tools that were named. */
export function promptOf(
  prompt: string,
  attachments: readonly ChatReference[],
  tools: readonly string[],
): Message {
  const parts = [
    prompt,
    ...attachments.map(({ name, text }) => `Attached by the user, ${name}:\n${beginningOf(text)}`),
    ...(tools.length > 0 ? [`The user wants you to use: ${tools.join(', ')}.`] : []),
  ];
  return { role: 'user', content: { type: 'text', text: parts.filter((part) => part !== '').join('\n\n') } };
}
