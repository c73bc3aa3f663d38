import { type Operation, sleep } from 'effection';
import type { CallName, CallStore, Claim } from '../../runtime/journal/call-store.ts';

/** Between two looks, milliseconds: the first and the longest. */
const SOON = 20;
const LATER = 500;

/**
 * Claims a call, also one that another process is just about to give back.
 *
 * @returns `undefined` for one that is not there, or is not given back in time
 */
export function* claimed(store: CallStore, name: CallName, patience = 5_000): Operation<Claim | undefined> {
  const until = performance.now() + patience;
  for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
    const outcome = yield* store.claim(name);
    if (outcome.type === 'claimed') return outcome.claim;
    if (outcome.type === 'unknown' || performance.now() >= until) return undefined;
    yield* sleep(pause);
  }
}
