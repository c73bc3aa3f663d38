import { randomUUID } from 'node:crypto';
import type { TurnEnd } from '../../../chat/events.ts';
import { type ConversationState, newConversation } from '../../../chat/state.ts';
import type { Message } from '../../../core/messages/content.ts';

/** One turn of the chat's history, as far as a conversation needs it. */
export type PastTurn =
  | { readonly type: 'request'; readonly prompt: string }
  | { readonly type: 'response'; readonly text: string; readonly metadata: unknown };

/** What a request goes on from. */
export interface FoundConversation {
  readonly state: ConversationState;
  /** What the person had said when the window was closed on the answer: the editor shows nothing of that turn any more. */
  readonly cutOff?: string;
}

/** Finds the conversation that a request goes on with. */
export interface Conversations {
  /** The state after the last turn; a new conversation, with what was said, when nobody knows it. */
  find(history: readonly PastTurn[]): FoundConversation;
  /** Keeps what a turn has left when it is stopped, or the window is closed on it: the editor throws its result away. */
  keepStopped(history: readonly PastTurn[], prompt: string, state: ConversationState): void;
  /** The turn ended by itself: its result has it all. */
  forget(history: readonly PastTurn[], prompt: string): void;
}

/** Where stopped conversations outlive the window. */
export interface ConversationStore {
  read(): unknown;
  write(value: ReadonlyArray<readonly [key: string, state: ConversationState]>): void;
}

/** What a turn's result carries to the next one. */
export interface TurnMetadata {
  readonly conversation: ConversationState;
  /** Why the turn ended. */
  readonly reason?: TurnEnd;
}

/** Stopped conversations that are remembered, and how many of them beyond the window. */
const kept = 50;
const keptBeyond = 5;

/** Conversations of a window. States are in the results of their turns; here is only what was stopped. */
export function createConversations(store?: ConversationStore): Conversations {
  const stopped = new Map(readAll(store?.read()));
  const ofEarlierWindow = new Map(stopped);
  const save = () => store?.write([...stopped].slice(-keptBeyond));
  const take = (key: string) => {
    stopped.delete(key);
    ofEarlierWindow.delete(key);
    save();
  };
  /** The turn after `history` that a window was closed on, while calls of it ran. */
  function cutOff(history: readonly PastTurn[], { id }: ConversationState): FoundConversation | undefined {
    const said = promptsOf(history);
    for (const [key, state] of ofEarlierWindow) {
      if (stopped.get(key) !== state || state.id !== id || state.awaiting.length === 0) continue;
      const prompts = JSON.parse(key) as readonly string[];
      const prompt = prompts[said.length];
      if (
        prompt === undefined ||
        prompts.length > said.length + 1 ||
        !said.every((one, at) => one === prompts[at])
      )
        continue;
      take(key);
      return { state, cutOff: prompt };
    }
    return undefined;
  }
  return {
    find(history) {
      const last = history.findLast((turn) => turn.type === 'response');
      const told = stateOf(last?.metadata);
      if (told) return cutOff(history, told) ?? { state: told };
      const key = keyOf(history);
      const left = stopped.get(key);
      if (left) {
        take(key);
        return { state: left };
      }
      const known = history.findLast(
        (turn) => turn.type === 'response' && stateOf(turn.metadata) !== undefined,
      );
      const state = known?.type === 'response' ? stateOf(known.metadata) : undefined;
      return { state: state ?? newConversation(randomUUID(), messagesOf(history)) };
    },
    keepStopped(history, prompt, state) {
      const key = keyOf([...history, { type: 'request', prompt }]);
      stopped.delete(key);
      stopped.set(key, state);
      const [oldest] = stopped.keys();
      if (stopped.size > kept && oldest !== undefined) stopped.delete(oldest);
      save();
    },
    forget(history, prompt) {
      if (stopped.delete(keyOf([...history, { type: 'request', prompt }]))) save();
    },
  };
}

/** The editor gives conversations no name: what the person said so far is one. */
function keyOf(history: readonly PastTurn[]): string {
  return JSON.stringify(promptsOf(history));
}

function promptsOf(history: readonly PastTurn[]): readonly string[] {
  return history.flatMap((turn) => (turn.type === 'request' ? [turn.prompt] : []));
}

/** What the last window wrote, or nothing: it may have been another version of us. */
function readAll(value: unknown): [string, ConversationState][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): [string, ConversationState][] => {
    const [key, conversation] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const state = stateOf({ conversation });
    return typeof key === 'string' && state ? [[key, state]] : [];
  });
}

function stateOf(metadata: unknown): ConversationState | undefined {
  const state = (metadata as Partial<TurnMetadata> | undefined)?.conversation;
  const lists = [state?.messages, state?.awaiting, state?.results, state?.queued];
  return typeof state?.id === 'string' && lists.every(Array.isArray) ? state : undefined;
}

function messagesOf(history: readonly PastTurn[]): readonly Message[] {
  return history.flatMap((turn): Message[] => {
    const text = turn.type === 'request' ? turn.prompt : turn.text;
    const role = turn.type === 'request' ? 'user' : 'assistant';
    return text.trim() === '' ? [] : [{ role, content: { type: 'text', text } }];
  });
}
