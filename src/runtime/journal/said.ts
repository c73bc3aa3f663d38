import { blocksOf, type Message } from '../../core/messages/content.ts';
import { digest } from '../../core/world/digest.ts';
import type { AskSubject } from '../session/ask-subject.ts';

/** What the author's code said when it asked: not what Parley made of it. */
export interface Said {
  /** The message of a question, the prompt of a sampling, or its messages. */
  readonly words: string | readonly Message[];
  /** Everything else that makes it this question: context, options. JSON. */
  readonly about?: unknown;
}

/** What an ask is known by. */
export interface Asked {
  readonly kind: AskSubject['kind'];
  readonly name: string | undefined;
  readonly depth: number;
  readonly said: Said;
}

/** What was said, as far as its request shows: for an ask whose code is in another realm. */
export function saidByAsk(subject: AskSubject): Said {
  switch (subject.kind) {
    case 'elicit': {
      const { request } = subject;
      const about = request.mode === 'url' ? [request.url, request.elicitationId] : request.context;
      return { words: request.message, about };
    }
    case 'sample': {
      const { messages, maxTokens: _, tools, ...options } = subject.request;
      return { words: messages, about: [options, tools?.map(({ name }) => name)] };
    }
    case 'roots':
      return { words: '' };
  }
}

/** Whether two asks are the same question shows in this. */
export function fingerprint({ kind, name, depth, said }: Asked): string {
  const text = JSON.stringify([kind, name, depth, said.words, said.about]);
  return digest(text).slice(0, 16);
}

const MOST = 200;

/** The first words of what was said, for people. */
export function firstWords({ words }: Said): string {
  const text = typeof words === 'string' ? words : textOfLast(words);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function textOfLast(messages: readonly Message[]): string {
  const last = messages.at(-1);
  const blocks = last ? blocksOf(last) : [];
  return blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}
