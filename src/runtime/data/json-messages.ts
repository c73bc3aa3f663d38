import type { Message } from '../../core/messages/content.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { toJson } from './json-data.ts';

/** Messages that are known to be JSON and cannot change: a long history is not copied again for every sampling. */
const trusted = new WeakSet<Message>();

/** A message of a history: JSON that nobody can change. */
export function historyMessage(message: Message): Message {
  if (trusted.has(message)) return message;
  const json = toJson(message);
  if (!json.ok) throw new Error(`a message of the history is not JSON: ${json.problem}`);
  const frozen = deepFreeze(messageOf(json.value));
  trusted.add(frozen);
  return frozen;
}

/** What is known of the beginning of a history, for all lists that grow from it. */
export interface Beginning {
  /** So many messages have no block of a tool. */
  plain: number;
}

const beginnings = new WeakMap<readonly Message[], Beginning>();

/** What a history is taken from: it only ever grows. */
const growing = new WeakMap<readonly Message[], readonly Message[]>();

/** A history that has grown begins as it did. `all` goes on growing, and has it at its beginning. */
export function growsFrom(
  history: readonly Message[],
  before: readonly Message[],
  all?: readonly Message[],
): void {
  beginnings.set(history, (before.length > 0 && beginnings.get(before)) || { plain: 0 });
  if (all) growing.set(history, all);
}

/** How a list begins that {@link afterHistory} made, and how much of it is that history. */
export function beginningOf(
  messages: readonly Message[],
): { readonly known: Beginning; readonly length: number } | undefined {
  const known = beginnings.get(messages);
  return known && { known, length: histories.get(messages) ?? 0 };
}

/** How many messages at the beginning of a list are of a history: they are not looked at again for every sampling. */
const histories = new WeakMap<readonly Message[], number>();

/** A history, whose messages {@link historyMessage} made, and what is asked after it. */
export function afterHistory(history: readonly Message[], ...more: readonly Message[]): readonly Message[] {
  const messages = Object.freeze([...history, ...more]);
  histories.set(messages, history.length);
  growsFrom(messages, history, growing.get(history));
  return messages;
}

/** From so many messages of a history on, a list is put together when it is read. */
const LONG = 100;

/** Messages as JSON, or what about them is not. */
export function jsonMessages(messages: readonly Message[]): {
  /** The same list for as long as somebody has it. */
  list(): readonly Message[];
  readonly problem?: string;
} {
  const length = histories.get(messages) ?? 0;
  const all = length < LONG ? undefined : growing.get(messages);
  // Spread, not sliced: V8 copies a frozen list at once only this way.
  const copies = all ? messages.slice(length) : [...messages];
  const from = all ? length : 0;
  for (let index = length; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (trusted.has(message)) continue;
    const json = toJson(message);
    if (!json.ok) return { list: () => messages, problem: `messages[${index}]: ${json.problem}` };
    copies[index - from] = messageOf(json.value);
  }
  return { list: all ? putTogether(all, length, copies) : () => copies };
}

/** A long conversation samples many times: what is kept of each is what it adds, not all that was said before. */
function putTogether(
  all: readonly Message[],
  length: number,
  more: readonly Message[],
): () => readonly Message[] {
  let made: WeakRef<readonly Message[]> | undefined;
  return () => {
    const known = made?.deref();
    if (known) return known;
    const list = [...all.slice(0, length), ...more];
    made = new WeakRef(list);
    return list;
  };
}

/** A message made JSON is the same message. */
function messageOf(json: JsonValue | undefined): Message {
  return json as unknown as Message;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) deepFreeze(field);
  }
  return value;
}
