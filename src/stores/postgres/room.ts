import { addLoad, crowd, type Load } from '../../runtime/data/crowd.ts';
import type { StoreBounds } from '../bounds.ts';
import { gaveWay, storeIsFull } from '../full.ts';
import type { Tables } from './tables.ts';

/** How long a count is good for, milliseconds: other servers begin calls, too. */
const COUNT_TTL = 10_000;

interface LoadRow extends Load {
  readonly principal: Buffer;
}

/** Keeps the tables within their bounds. Between two counts what begins here is added. */
export class TableRoom {
  readonly #tables: Tables;
  readonly #bounds: Required<StoreBounds>;
  /** By the digests of principals. */
  #loads = new Map<string, Load>();
  #until = 0;
  #swept = Date.now();

  constructor(tables: Tables, bounds: Required<StoreBounds>) {
    this.#tables = tables;
    this.#bounds = bounds;
  }

  /** Makes room for one more call of a principal, by its digest. @throws `StoreFullError` */
  async admit(digest: Buffer, bytes: number): Promise<void> {
    const who = digest.toString('base64');
    const more = { calls: 1, bytes };
    if (this.#until <= Date.now() || crowd(this.#loads, who, more, this.#bounds)) await this.#count();
    for (;;) {
      const full = crowd(this.#loads, who, more, this.#bounds);
      if (!full) break;
      if (await this.#giveWay(full.own ? digest : null, false)) continue;
      let gone = false;
      for (const most of full.most) gone ||= await this.#giveWay(Buffer.from(most, 'base64'), true);
      if (!gone) throw storeIsFull(full.full);
      this.#tables.onProblem(gaveWay(full.full));
    }
    addLoad(this.#loads, who, more);
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

  async #count(): Promise<void> {
    const { database, statements } = this.#tables;
    const rows = await database.again<LoadRow>(statements.count, []);
    this.#loads = new Map(
      rows.map(({ principal, calls, bytes }) => [principal.toString('base64'), { calls, bytes }]),
    );
    this.#until = Date.now() + COUNT_TTL;
  }

  async #giveWay(principal: Buffer | null, waits: boolean): Promise<boolean> {
    const { database, statements, now, space } = this.#tables;
    const values = [principal, now(), await space(), waits];
    const [gone] = await database.once<Omit<LoadRow, 'calls'>>(statements.giveWay, values);
    if (gone) addLoad(this.#loads, gone.principal.toString('base64'), { calls: 1, bytes: gone.bytes }, -1);
    return gone !== undefined;
  }
}
