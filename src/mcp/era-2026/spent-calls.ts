import { isObject } from '../../core/schema/is-object.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';
import { roundsOf } from '../clients/profile.ts';
import type { Brought, RequestedCall, Result } from '../request/open-call.ts';
import { digestOf } from '../wire/state/state.ts';

interface SpentRound {
  readonly round: string;
  readonly until: number;
}

/** How long the same call again goes on with one, milliseconds; and how many are known. */
const KEPT = 10 * 60_000;
const MOST = 1_000;

/**
 * Calls that ask more often than their clients answer in one call. They wait, and the same call again goes on with them: it has rounds of
 * its own.
 */
export class SpentCalls {
  /** Equal calls may be spent at once: each is gone on with once, the oldest first. */
  readonly #rounds = new Map<string, readonly SpentRound[]>();

  /** Whether a call that was answered with so many rounds has no other: what comes next ends the request, or is asked elsewhere. */
  isNext({ clientInfo }: RequestedCall, rounds = 0): boolean {
    // The answer after the last round is none, and begins to count anew.
    return (rounds + 1) % (roundsOf(clientInfo) + 1) === 0;
  }

  /** What a request brings: for the same call again, the round that the one before has left. */
  brought(call: RequestedCall, brought: Brought): Brought {
    if (brought.state !== undefined) return brought;
    const key = keyOf(call);
    const [left, ...more] = this.#left(key);
    if (more.length > 0) this.#rounds.set(key, more);
    else this.#rounds.delete(key);
    return left ? { ...brought, state: left.round } : brought;
  }

  #left(key: string): readonly SpentRound[] {
    return (this.#rounds.get(key) ?? []).filter(({ until }) => until >= Date.now());
  }

  /** What the request is answered with in place of that round; nothing where the call cannot be called again for it. */
  answer(call: RequestedCall, round: string): Result | undefined {
    const { method, tool } = call.callable;
    if (method !== 'tools/call' || call.isShared) return undefined;
    const key = keyOf(call);
    const left = [...this.#left(key), { round, until: Date.now() + KEPT }];
    keepLast(this.#rounds, [key, left.slice(-MOST)], MOST);
    const text =
      `NOT DONE YET, and no failure: ${tool.name} has more questions than this client answers in one call. ` +
      `Call ${tool.name} again with the same arguments: it continues where it is, and keeps what was answered.`;
    return { content: [{ type: 'text', text }], ...(tool.def.output && { isError: true }) };
  }
}

function keyOf({ callable: { method, name, given }, clientInfo, principal }: RequestedCall): string {
  return digestOf([principal, isObject(clientInfo) ? clientInfo.name : undefined, method, name, given]);
}
