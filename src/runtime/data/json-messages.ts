import type { Message } from '../../core/messages/content.ts';
import { toJson } from './json-data.ts';

/** Messages that are known to be JSON and cannot change: a long history is not copied again for every sampling. */
const trusted = new WeakSet<Message>();

/** A message of a history: JSON that nobody can change. */
export function historyMessage(message: Message): Message {
  if (trusted.has(message)) return message;
  const json = toJson(message);
  if (!json.ok) throw new Error(`a message of the history is not JSON: ${json.problem}`);
  const frozen = deepFreeze(json.value as unknown as Message);
  trusted.add(frozen);
  return frozen;
}

/** Messages as JSON, or what about them is not. */
export function jsonMessages(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly problem?: string;
} {
  const copies: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (trusted.has(message)) {
      copies.push(message);
      continue;
    }
    const json = toJson(message);
    if (!json.ok) return { messages: copies, problem: `messages[${index}]: ${json.problem}` };
    copies.push(json.value as unknown as Message);
  }
  return { messages: copies };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) deepFreeze(field);
  }
  return value;
}
