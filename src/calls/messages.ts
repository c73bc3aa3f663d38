import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { ClientCapabilities } from '../core/tool/context.ts';
import type { AnsweredBy } from '../core/tool/elicit-refusal.ts';
import type { CallName, InboxMessage } from '../runtime/journal/call-store.ts';
import type { Ask } from '../runtime/session/ask.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';

/** How a call stands, for everybody who looks: JSON, kept in one piece with the lines of its journal. */
export interface CallSnapshot {
  readonly name: CallName;
  readonly tool: string;
  /** When it began, milliseconds since the epoch. */
  readonly began: number;
  /** `waiting` for answers; `working` while it waits for none. */
  readonly status: 'working' | 'waiting' | 'ended';
  /** What it asks. An answer says which `attempt` it saw. */
  readonly asks: readonly Ask[];
  /** The round that its client opens next, or has opened; none for calls whose clients are attached while they answer, and after the end. */
  readonly round?: string;
  /** How many rounds its client was sent, that one among them. */
  readonly rounds?: number;
  readonly end?: EndEvent;
  /** It is in this process alone, and ends with it. */
  readonly pinned?: boolean;
  /** What it said last of how it gets on. */
  readonly message?: string;
  /** When it last said or asked something, or ended, milliseconds since the epoch. */
  readonly updated: number;
  /** What the surface keeps beside it for which it goes on by itself. */
  readonly beside?: JsonObject;
  /** Nobody has it, and there is something to do that needs no answer: it goes on where somebody attaches. */
  readonly idle?: true;
  /** A newer Parley has it: nothing else of it is understood here. */
  readonly newer?: true;
}

/** Answers, or a stop: what anybody who may leaves for a call. Leaving it twice is leaving it once. */
export interface CallMessage {
  /** Its sender's. The same again must say the same. For one that opens a round, the round's name. */
  readonly id: string;
  /** Of what it says. */
  readonly digest: string;
  /** It opens a round, which is closed after that; what that is bound to: who may, for which request. */
  readonly bound?: string;
  /** By the `wireKey` of their questions, as results in MCP's form. One without a question yet waits for it. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Whose these are. */
  readonly by?: AnsweredBy;
  /** Which attempt of a question was seen, by its id; the one that is kept, where nothing is said. */
  readonly seen?: Readonly<Record<string, number>>;
  /** Ends the call, for this reason. It wins over answers. */
  readonly stop?: string;
}

/** What a message comes to, as a call stands. */
export type Judgement =
  | 'new'
  /** It has come to something already: what that is, the call says. */
  | 'again'
  /** Another message of this id has. */
  | 'other'
  /** Its round is over, or its call. */
  | 'closed'
  /** It is for no call that its sender may know of. */
  | 'unknown';

/** What is kept of a call beside its lines. Nobody but {@link Calls} writes it. */
export interface CallNote {
  /** What its rounds are bound to; none for a call without rounds. */
  readonly bound?: string;
  /** The round that is to be opened, or is open; `''` while the first is. */
  readonly round?: string;
  /** How many rounds its client was sent. */
  readonly rounds?: number;
  /** The digest of the message that has opened it. Its process may have died since: the same message opens it again. */
  readonly opened?: string;
  /** Which attempts of its questions its client has seen, by their ids. */
  readonly seen?: Readonly<Record<string, number>>;
  /** The round before, which came to how the call stands. */
  readonly closed?: Pick<CallMessage, 'id' | 'digest'>;
  /** The last messages beside rounds that were taken. */
  readonly taken?: readonly Pick<CallMessage, 'id' | 'digest'>[];
  /** Answers that wait for their questions. */
  readonly early?: readonly (readonly [string, unknown])[];
  /** How often the call had gone back by then: what is early is void once it has again. */
  readonly rewinds?: number;
  readonly asks: readonly Ask[];
  readonly end?: EndEvent;
  readonly message?: string;
  readonly updated?: number;
  readonly beside?: JsonObject;
  /** It stays in the process that has it, as long as that is there. */
  readonly stays?: true;
  /** It is in the process that has it alone, and ends with that. */
  readonly pinned?: true;
  /** How long somebody may look at the call, also when it is over, milliseconds since the epoch. */
  readonly until?: number;
}

/** What the call of a session is called. */
export function nameOfCall({ principal, conversation, id }: Session): CallName {
  return { principal, conversation, callId: id };
}

/** How a note is kept. */
export function callNoted(note: CallNote): JsonObject {
  // JSON, though its type does not say so; nobody changes what is in it.
  return { call: note as unknown as JsonValue };
}

/** The note of a call that was kept; `undefined` for what is none. */
export function callNoteIn({ call }: JsonObject): CallNote | undefined {
  // It is sealed by a store, or was never out of this process: what is there, we wrote.
  return call as CallNote | undefined;
}

/** What a message comes to: the one rule for every surface, every store, and whoever holds the call. */
export function judge(note: CallNote, { id, digest, bound, stop }: CallMessage): Judgement {
  if (bound !== undefined && note.bound !== bound) return 'unknown';
  const { end, round, opened, closed, taken } = note;
  if (stop !== undefined) {
    if (!end) return 'new';
    return end.type === 'aborted' ? 'again' : 'closed';
  }
  const known = bound === undefined ? taken?.find((one) => one.id === id) : undefined;
  if (known) return known.digest === digest ? 'again' : 'other';
  if (bound === undefined) return end ? 'closed' : 'new';
  if (closed && isSame(closed.id, id)) return closed.digest === digest ? 'again' : 'other';
  if (round === undefined || !isSame(round, id)) return 'closed';
  if (opened !== undefined && opened !== digest) return 'other';
  return end ? 'again' : 'new';
}

/** What is left in an inbox of a message: the rest of it, and what its client can do. */
export type InboxBody = Omit<CallMessage, 'id' | 'digest'> & { readonly capabilities?: ClientCapabilities };

/** A message as it is left for a call. */
export function inboxed(
  { id, digest, ...said }: CallMessage,
  capabilities?: ClientCapabilities,
): InboxMessage {
  return { id, digest, body: plainJson({ ...said, ...(capabilities && { capabilities }) }) };
}

/** As a store has it. */
export function plainJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

/** In a time that does not depend on where they differ: who has the name of a round may open it. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
