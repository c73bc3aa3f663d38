import type { JsonValue } from '../core/messages/json.ts';
import type { CallName } from '../runtime/journal/call-store.ts';

const SHAPE = /^r1\.(call_[\w-]{1,100})\.[\w-]{36}$/;

/** Names the next round of a call that waits in a book: nobody guesses it. */
export function nextRound({ callId }: CallName): string {
  return `r1.${callId}.${crypto.randomUUID()}`;
}

/** The call of a round; `undefined` for what is none. */
export function callOfRound(state: unknown): string | undefined {
  return (typeof state === 'string' ? SHAPE.exec(state) : undefined)?.[1];
}

/** A state that the hook of the server has opened. */
export class OpenedRound {
  readonly call: JsonValue;

  constructor(call: JsonValue) {
    this.call = call;
  }
}
