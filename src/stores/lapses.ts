import { CLAIM_TTL } from '../runtime/journal/call-store.ts';

/** The clocks of a machine, in milliseconds. */
export interface StoreClocks {
  /** Since the epoch: all processes agree on it, and a person may set it. */
  now(): number;
  /** Evenly, from any beginning. */
  ticks(): number;
}

/** How much further the time may go than the ticks between two looks: a claim that was renewed cannot lapse by that alone. */
const LEAP = CLAIM_TTL / 3;

/** The machine's clocks; time that is given instead goes by evenly. */
export function storeClocks(now: (() => number) | undefined): StoreClocks {
  return now ? { now, ticks: now } : { now: () => Date.now(), ticks: () => performance.now() };
}

/**
 * Tells which claims have lapsed. When the machine has slept, or its clock was set, none of them seem to have been renewed:
 * those who hold them then have as long as a claim lasts to do so, or each would take the calls of all others.
 */
export class Lapses {
  readonly #clocks: StoreClocks;
  #ahead: number;
  #leapt = Number.NEGATIVE_INFINITY;

  constructor(clocks: StoreClocks) {
    this.#clocks = clocks;
    this.#ahead = clocks.now() - clocks.ticks();
  }

  /** Whether who held a call has let it go. `touched` is the last sign of life, milliseconds since the epoch. */
  isOver(touched: number): boolean {
    const now = this.#clocks.now();
    const ticks = this.#clocks.ticks();
    if (now - ticks - this.#ahead > LEAP) this.#leapt = ticks;
    this.#ahead = now - ticks;
    return touched + CLAIM_TTL <= now && this.#leapt + CLAIM_TTL <= ticks;
  }
}
