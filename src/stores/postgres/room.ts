import type { StoreBounds } from '../bounds.ts';
import { storeIsFull } from '../full.ts';
import type { Tables } from './tables.ts';

/** How long a count is good for, milliseconds: other servers begin calls, too. */
const COUNT_TTL = 10_000;
/** Counts that are remembered: there may be any number of principals. */
const REMEMBERED = 1_000;

interface Count {
  readonly at: number;
  calls: number;
}

/** Keeps the tables within their bounds. Counting is slow: only at a bound it is exact. */
export class TableRoom {
  readonly #tables: Tables;
  readonly #bounds: Required<StoreBounds>;
  readonly #shares = new Map<string, Count>();
  #all: Count | undefined;
  #swept = Date.now();

  constructor(tables: Tables, bounds: Required<StoreBounds>) {
    this.#tables = tables;
    this.#bounds = bounds;
  }

  /** Makes room for one more call of a principal, by its digest. @throws `StoreFullError` */
  async admit(digest: Buffer): Promise<void> {
    const { calls, share } = this.#bounds;
    const key = digest.toString('base64');
    if (!this.#isBelow(this.#all, calls) || !this.#isBelow(this.#shares.get(key), share)) {
      await this.#count(key, digest);
      const [all, own] = [this.#all?.calls ?? 0, this.#shares.get(key)?.calls ?? 0];
      if (own >= share) await this.#giveWay(digest, `${share} of the same principal`);
      else if (all >= calls) await this.#giveWay(null, String(calls));
    }
    for (const count of [this.#all, this.#shares.get(key)]) if (count) count.calls += 1;
  }

  /** Throws away what nobody has touched for too long. It looks rarely. */
  async sweep(): Promise<void> {
    const { now, database, statements, space } = this.#tables;
    const { age } = this.#bounds;
    const time = now() ?? Date.now();
    if (this.#swept + age / 10 > time) return;
    this.#swept = time;
    await database.again(statements.sweep, [now(), await space(), age]);
  }

  #isBelow(count: Count | undefined, bound: number): boolean {
    return count !== undefined && count.calls < bound && count.at + COUNT_TTL > Date.now();
  }

  async #count(key: string, digest: Buffer): Promise<void> {
    const { database, statements } = this.#tables;
    const at = Date.now();
    const [row] = await database.again<{ calls: number; share: number }>(statements.count, [digest]);
    if (this.#shares.size >= REMEMBERED) this.#shares.clear();
    this.#shares.set(key, { at, calls: row?.share ?? 0 });
    this.#all = { at, calls: row?.calls ?? 0 };
  }

  async #giveWay(principal: Buffer | null, full: string): Promise<void> {
    const { database, statements, now, space } = this.#tables;
    const gone = await database.once(statements.giveWay, [principal, now(), await space()]);
    if (gone.length === 0) throw storeIsFull(full);
    this.#all = undefined;
  }
}
