import type { Translate } from '../../calls/notices/explain.ts';

/** Names for the chats of the agent, which only have ids. */
export interface ChatNames {
  nameOf(id: string | undefined): string;
}

/** Chats that are told apart; the oldest are forgotten. */
const most = 100;

/** The first is just the agent; the second to ask is its second chat. */
export function createChatNames(t: Translate): ChatNames {
  const numbers = new Map<string, number>();
  let last = 0;
  return {
    nameOf(id) {
      if (id === undefined) return t('the agent');
      const number = numbers.get(id) ?? ++last;
      numbers.set(id, number);
      const [oldest] = numbers.keys();
      if (numbers.size > most && oldest !== undefined) numbers.delete(oldest);
      return number === 1 ? t('the agent') : t('the agent, chat {0}', String(number));
    },
  };
}
