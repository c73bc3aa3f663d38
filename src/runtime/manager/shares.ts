import { toError } from '../../core/errors/errors.ts';
import { SessionLimitError } from '../../core/errors/session-errors.ts';
import { nextTurn } from '../time/event-loop.ts';
import type { Bounds } from './bounds.ts';

/** Something that takes up a part of the share of its principal. */
export interface ShareHolding {
  readonly principal: string;
  bytes: number;
}

/** What a waiting call waits for: an answer, or, when it is over, somebody who fetches its end. */
export type WaitingFor = 'answer' | 'fetch';

/** What a set of shares works with. */
export interface SharesOptions<T> {
  /** What all principals may take up together. */
  readonly total: Bounds;
  /** What each principal may take up. */
  readonly share: Bounds;
  /** Principals that are neither counted nor refused. */
  readonly own: readonly string[];
  /** Ends one that waits for an answer, or forgets one that waits to be fetched; it holds no bytes afterwards. */
  giveWay(item: T, reason: string): void;
  /** Ends one that has grown, where nothing can give way; it holds no bytes afterwards. */
  refuse(item: T, error: Error): void;
}

type Load = 'running' | 'bytes' | WaitingFor;
type Loads = Record<Load, number>;

interface Share<T> {
  readonly loads: Loads;
  /** The oldest first. */
  readonly waiting: Partial<Record<WaitingFor, Set<T>>>;
}

/**
 * What the calls of each principal take up, and who gives way when it is too much: the oldest that waits, of the same
 * principal; where all together are too many, of whoever has most. Calls that are attended to never give way: where
 * there is nobody else, the newcomer is refused, or ends that has grown.
 */
export class Shares<T extends ShareHolding> {
  readonly #options: SharesOptions<T>;
  readonly #shares = new Map<string, Share<T>>();
  readonly #all: Loads = noLoads();
  readonly #crowded = new Set<Share<T>>();
  readonly #grown = new Set<T>();
  #settling: (() => void) | undefined;

  constructor(options: SharesOptions<T>) {
    this.#options = options;
  }

  /** Whether the calls of a principal are counted. */
  counts(principal: string): boolean {
    return !this.#options.own.includes(principal);
  }

  /** Makes room for one more call. @throws `SessionLimitError` where nothing can give way */
  admit(principal: string, bytes: number): void {
    if (!this.counts(principal)) return;
    if (bytes > this.#options.share.bytes) {
      const most = inMegabytes(this.#options.share.bytes);
      throw new SessionLimitError(`what the call was given takes more than ${most}. Give it less.`);
    }
    // Of who has nothing there is nothing that could give way, and who is refused leaves nothing behind.
    const share = this.#shares.get(principal) ?? NOTHING;
    this.#fit(share, 'running', 1);
    this.#fit(share, 'bytes', bytes);
  }

  /** How many principals anything is kept of. */
  get principals(): number {
    return this.#shares.size;
  }

  /** A call begins. */
  begin(item: T): void {
    if (!this.counts(item.principal)) return;
    const share = this.#shareOf(item.principal);
    this.#add(share, 'running', 1);
    this.#add(share, 'bytes', item.bytes);
  }

  /** A call has ended. */
  end(item: T): void {
    const share = this.#shares.get(item.principal);
    if (!share) return;
    this.#add(share, 'running', -1);
    this.#hold(share, item, 0);
  }

  /** What a call keeps has changed. */
  hold(item: T, bytes: number): void {
    if (bytes === item.bytes || !this.counts(item.principal)) return;
    this.#hold(this.#shareOf(item.principal), item, bytes);
  }

  /** What a call keeps has changed, and what is too much for that gives way soon. */
  grow(item: T, bytes: number): void {
    const before = item.bytes;
    this.hold(item, bytes);
    if (item.bytes > before) this.#weigh(item);
  }

  /** Begins or ends the wait of a call; one that goes on keeps its place. */
  wait(item: T, wait: WaitingFor | undefined): void {
    // Most calls never wait, and nothing is kept of most of those who make them.
    if (!wait && !this.#shares.has(item.principal)) return;
    if (!this.counts(item.principal)) return;
    const share = this.#shareOf(item.principal);
    if (wait !== 'answer') this.#leave(share, 'answer', item);
    if (wait !== 'fetch') this.#leave(share, 'fetch', item);
    if (!wait) this.#tidy(item.principal, share);
    else if (!share.waiting[wait]?.has(item)) {
      share.waiting[wait] ??= new Set();
      share.waiting[wait].add(item);
      this.#add(share, wait, 1);
      this.#look(share, wait);
      this.#weigh(item);
    }
  }

  /** A call that has ended is forgotten. */
  forget(item: T): void {
    this.hold(item, 0);
    this.wait(item, undefined);
  }

  close(): void {
    this.#settling?.();
    this.#shares.clear();
    this.#crowded.clear();
    this.#grown.clear();
  }

  #fit(share: Share<T>, load: Load, more: number): void {
    const { share: each, total } = this.#options;
    if (share.loads[load] + more > boundOf(each, load)) {
      this.#makeRoom([share], load, () => share.loads[load] + more <= boundOf(each, load), each);
    }
    if (this.#all[load] + more > boundOf(total, load)) {
      // With the newcomer it may be the one that has most: of as few as it had before, nobody loses one to it.
      const most = [...this.#atLeast(share.loads[load] + more, load), share];
      this.#makeRoom(most, load, () => this.#all[load] + more <= boundOf(total, load), total);
    }
  }

  // Later: most that wait are fetched within the same turn, by the driver that comes after `create`.
  #look(share: Share<T>, wait: WaitingFor): void {
    const { share: each, total } = this.#options;
    if (share.loads[wait] > each.waiting) this.#crowded.add(share);
    else if (this.#all[wait] <= total.waiting) return;
    this.#settleSoon();
  }

  // Later: what was given is being taken in, and most that grow have a driver that leaves with what they came to.
  #weigh(item: T): void {
    const share = this.#shares.get(item.principal);
    const { share: each, total } = this.#options;
    if (!share || (share.loads.bytes <= each.bytes && this.#all.bytes <= total.bytes)) return;
    this.#grown.add(item);
    this.#settleSoon();
  }

  #settleSoon(): void {
    this.#settling ??= nextTurn(() => {
      this.#settling = undefined;
      this.#settle();
    });
  }

  #settle(): void {
    const { share: each, total } = this.#options;
    for (const wait of ['answer', 'fetch'] as const) {
      for (const share of this.#crowded) {
        this.#makeRoom([share], wait, () => share.loads[wait] <= each.waiting, each);
      }
      while (this.#all[wait] > total.waiting) {
        const most = this.#atLeast(0, wait).slice(0, 1);
        const before = this.#all[wait];
        this.#makeRoom(most, wait, () => this.#all[wait] < before, total);
      }
    }
    this.#crowded.clear();
    for (const item of this.#grown) this.#fitGrown(item);
    this.#grown.clear();
  }

  #fitGrown(item: T): void {
    const share = this.#shares.get(item.principal);
    if (!share || item.bytes === 0) return;
    try {
      this.#fit(share, 'bytes', 0);
    } catch (error) {
      this.#options.refuse(item, toError(error));
    }
  }

  /** @throws `SessionLimitError` when none of these shares has anything that can give way */
  #makeRoom(shares: readonly Share<T>[], load: Load, enough: () => boolean, bounds: Bounds): void {
    const reason = `${whatIsFull(load, bounds)}, which is the limit`;
    while (!enough()) {
      const victim = this.#oldest(shares, load);
      if (!victim) throw new SessionLimitError(`${reason}. End one, and try again.`);
      const { share, wait, item } = victim;
      this.#leave(share, wait, item);
      this.#options.giveWay(item, reason);
    }
  }

  #oldest(shares: readonly Share<T>[], load: Load) {
    for (const share of shares) {
      for (const wait of givingWay[load]) {
        for (const item of share.waiting[wait] ?? []) {
          if (load !== 'bytes' || item.bytes > 0) return { share, wait, item };
        }
      }
    }
    return undefined;
  }

  /** The shares that have at least as much, those with most first. */
  #atLeast(least: number, load: Load): readonly Share<T>[] {
    return [...this.#shares.values()]
      .filter(({ loads }) => loads[load] >= least)
      .sort((a, b) => b.loads[load] - a.loads[load]);
  }

  #leave(share: Share<T>, wait: WaitingFor, item: T): void {
    if (share.waiting[wait]?.delete(item)) this.#add(share, wait, -1);
  }

  #add({ loads }: Share<T>, load: Load, change: number): void {
    loads[load] += change;
    this.#all[load] += change;
  }

  #hold(share: Share<T>, item: T, bytes: number): void {
    this.#add(share, 'bytes', bytes - item.bytes);
    item.bytes = bytes;
    this.#tidy(item.principal, share);
  }

  #shareOf(principal: string): Share<T> {
    const known = this.#shares.get(principal);
    if (known) return known;
    const share: Share<T> = nothing();
    this.#shares.set(principal, share);
    return share;
  }

  /** Nothing is kept of a principal who has nothing. */
  #tidy(principal: string, { loads }: Share<T>): void {
    if (loads.running + loads.bytes + loads.answer + loads.fetch === 0) this.#shares.delete(principal);
  }
}

/** Who gives way when there is too much of something. */
const givingWay: Readonly<Record<Load, readonly WaitingFor[]>> = {
  running: ['answer'],
  bytes: ['fetch', 'answer'],
  answer: ['answer'],
  fetch: ['fetch'],
};

/** Of whoever has nothing: it is looked at, and stays as it is. */
const NOTHING: Share<never> = nothing();

function nothing<T>(): Share<T> {
  return { loads: noLoads(), waiting: {} };
}

function noLoads(): Loads {
  return { running: 0, bytes: 0, answer: 0, fetch: 0 };
}

function boundOf(bounds: Bounds, load: Load): number {
  return load === 'answer' || load === 'fetch' ? bounds.waiting : bounds[load];
}

function whatIsFull(load: Load, bounds: Bounds): string {
  if (load === 'running') return `${bounds.running} calls run already`;
  if (load === 'bytes') return `calls hold ${inMegabytes(bounds.bytes)} already`;
  return `${bounds.waiting} calls wait already`;
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}
