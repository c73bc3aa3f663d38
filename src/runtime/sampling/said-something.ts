import { blocksOf, type Message } from '../../core/messages/content.ts';

/** What stands for an answer of nothing. */
export const NO_ANSWER = '(no answer)';

/** The content of an answer without text that is blank: providers refuse that, and a message without content. */
export function saidSomething(answer: Pick<Message, 'content'>): Message['content'] {
  const blocks = blocksOf(answer).filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (blocks.length === 0) return { type: 'text', text: NO_ANSWER };
  return Array.isArray(answer.content) ? blocks : answer.content;
}
