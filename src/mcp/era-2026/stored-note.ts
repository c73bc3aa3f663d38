import type { JsonObject } from '../../core/messages/json.ts';
import { drawnBytes } from '../../runtime/data/drawn-bytes.ts';
import { sameToken } from '../http/token.ts';
import type { Result } from '../request/open-call.ts';
import { asJson } from '../wire/as-json.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { invalidState, type StateBinding } from '../wire/state/state.ts';
import type { KeptEarly } from './call-home.ts';

/** A state and the answers that came with it. */
export interface Round {
  readonly ticket: string;
  /** {@link digestOf} the answers. */
  readonly digest: string;
}

/** What a store keeps of a call for its client, beside its journal. */
export interface Note extends KeptEarly {
  readonly binding: StateBinding;
  /** The state that opens the next leg; none while the first is under way. */
  readonly ticket?: string;
  /** What opened the leg that is under way, or was when its process died. */
  readonly opened?: Round;
  /** The round before, with what it was answered: a response that was lost is given again. */
  readonly answered?: Round & { readonly result: Result };
}

/** How a note is kept. */
export function noted(note: Note): JsonObject {
  return { mcp: asJson(note) };
}

/** The note of a call; `undefined` for calls that no server began. */
export function noteIn({ mcp }: JsonObject): Note | undefined {
  return mcp as Note | undefined;
}

const SHAPE = /^s1\.([\w-]+)\.([\w-]{22})$/;

/** A state: which call, and a ticket that only its client has. Everything else is in the store. */
export function newState(callId: string): string {
  return `s1.${Buffer.from(callId).toString('base64url')}.${drawnBytes(16).toString('base64url')}`;
}

/** The call of a state; `undefined` for what is none of a store. */
export function callOf(state: unknown): string | undefined {
  const [, id] = (typeof state === 'string' && state.length < 1024 ? SHAPE.exec(state) : undefined) ?? [];
  return id === undefined ? undefined : Buffer.from(id, 'base64url').toString('utf8');
}

/**
 * What a request with a state comes to, as things stand: the answer that it was given before, or nothing yet.
 *
 * @throws `-32602` for a state that is none of this call, or is used up, and for other answers than those that used it
 */
export function standing(note: Note | undefined, round: Round, binding: StateBinding): Result | 'open' {
  if (!note || !isSame(note.binding, binding)) throw invalidState();
  const { answered, opened, ticket } = note;
  for (const used of [answered, opened]) {
    if (!used || !sameToken(used.ticket, round.ticket)) continue;
    if (used.digest !== round.digest) throw otherAnswers();
    return used === answered ? answered.result : 'open';
  }
  if (ticket === undefined || !sameToken(ticket, round.ticket)) throw invalidState();
  return 'open';
}

function isSame(one: StateBinding, other: StateBinding): boolean {
  return (['principal', 'method', 'name', 'digest'] as const).every((part) => one[part] === other[part]);
}

function otherAnswers(): RpcError {
  return new RpcError(
    RPC.invalidParams,
    'This question was already answered with other answers, and the call continued with those. Send the same answers again for the same response',
    { reason: 'answered_already' },
  );
}
