import { blocksOf, type Message } from '../core/messages/content.ts';

/** A conversation that fits, and whether something had to go for that. */
export interface FittedHistory {
  readonly messages: readonly Message[];
  readonly shortened: boolean;
}

const EARLIER = '[The beginning of this conversation is left out, because it has become too long.]';
const RESULT =
  '[This result is left out, because the conversation has become too long. Run the tool again if it is still needed.]';

/**
 * A conversation of so many characters at most, as JSON: the oldest turns go first, each as a whole, so that no result is left
 * without its call. Of the last turn, which stays, the oldest results go.
 */
export function fitHistory(messages: readonly Message[], most: number): FittedHistory {
  const sizes = messages.map(sizeOf);
  let left = sizes.reduce((sum, size) => sum + size, 0);
  if (left <= most) return { messages, shortened: false };
  const begins = messages.flatMap((message, at) => (beginsTurn(message) ? [at] : []));
  let from = 0;
  for (const begin of begins) {
    if (left <= most) break;
    left -= sizes.slice(from, begin).reduce((sum, size) => sum + size, 0);
    from = begin;
  }
  const kept = messages.slice(from).map((message, at, all) => {
    // The newest results are what the model is about to read.
    if (left <= most || at === all.length - 1 || !isResults(message)) return message;
    const short = withoutResults(message);
    left -= sizeOf(message) - sizeOf(short);
    return short;
  });
  const note: Message = { role: 'user', content: { type: 'text', text: EARLIER } };
  return { messages: from > 0 ? [note, ...kept] : kept, shortened: true };
}

function sizeOf(message: Message): number {
  return JSON.stringify(message).length;
}

function isResults(message: Message): boolean {
  return blocksOf(message).some(({ type }) => type === 'tool_result');
}

function beginsTurn(message: Message): boolean {
  return message.role === 'user' && !isResults(message);
}

function withoutResults(message: Message): Message {
  const content = blocksOf(message).map((block) =>
    block.type === 'tool_result' ? { ...block, content: [{ type: 'text' as const, text: RESULT }] } : block,
  );
  return { ...message, content };
}
