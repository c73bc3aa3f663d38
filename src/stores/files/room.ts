import { join } from 'node:path';
import type { StoreBounds } from '../bounds.ts';
import { storeIsFull } from '../full.ts';
import type { Lapses, StoreClocks } from '../lapses.ts';
import { atOnce } from './at-once.ts';
import type { Disk } from './disk.ts';
import type { CallPaths, Layout } from './layout.ts';
import { ifThere } from './log-file.ts';
import { Marks } from './marks.ts';

const JOURNAL = '.journal';

/** The folder of a principal. Other programs leave files of their own anywhere: `.DS_Store`, `desktop.ini`, what a synchroniser keeps. */
const SHARE = /^[0-9a-f]{32}$/;

/** A journal that was found in the folder. */
export interface Found {
  readonly id: string;
  readonly touched: number;
}

/** How long a count of all calls is good for, milliseconds: other processes begin some, too. */
const COUNT_TTL = 10_000;

/** What time it is for the calls of a folder. */
interface RoomTimes extends StoreClocks {
  readonly lapses: Lapses;
}

/** Keeps the folder within its bounds. */
export class FileRoom {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #marks: Marks;
  readonly #bounds: Required<StoreBounds>;
  readonly #times: RoomTimes;
  #count = { at: Number.NEGATIVE_INFINITY, calls: 0 };
  #swept: number;

  constructor(disk: Disk, layout: Layout, marks: Marks, bounds: Required<StoreBounds>, times: RoomTimes) {
    this.#disk = disk;
    this.#layout = layout;
    this.#marks = marks;
    this.#bounds = bounds;
    this.#times = times;
    this.#swept = times.ticks();
  }

  /**
   * Makes room for one more call.
   *
   * @param gives whether a call that has ended can go now
   * @throws `StoreFullError`
   */
  async admit(principal: string, gives: (id: string) => Promise<boolean>): Promise<void> {
    const { calls, share } = this.#bounds;
    const folder = this.#layout.share(principal);
    const own = (await this.#journalsIn(folder)).length;
    if (own >= share) await this.#giveWay(`${idOf(folder)}.`, gives, `${share} of the same principal`);
    if ((await this.#countAll()) >= calls) await this.#giveWay('', gives, String(calls));
    this.#count.calls += 1;
  }

  /** All calls, in no order. */
  async all(principal?: string): Promise<readonly Found[]> {
    const folders = principal === undefined ? await this.#folders() : [this.#layout.share(principal)];
    const found: Found[] = [];
    for (const folder of folders) {
      const names = await this.#journalsIn(folder);
      const times = await atOnce(names, (name) =>
        this.#disk.stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, ifThere(undefined)),
      );
      for (const [at, name] of names.entries()) {
        const touched = times[at];
        if (touched === undefined) continue;
        found.push({ id: `${idOf(folder)}.${name.slice(0, -JOURNAL.length)}`, touched });
      }
    }
    return found;
  }

  /** Throws a call away. False when there was none. */
  async remove({ id, journal, events }: CallPaths): Promise<boolean> {
    const was = await this.#disk.unlink(journal).then(() => true, ifThere(false));
    await this.#disk.unlink(events).catch(ifThere(undefined));
    await this.#marks.drop(Marks.nameOf('held', id));
    if (was) this.#count.calls -= 1;
    return was;
  }

  /** Throws away what nobody has touched for too long. It looks rarely: that takes reading every name. */
  async sweep(): Promise<void> {
    const { now, ticks, lapses } = this.#times;
    const { age } = this.#bounds;
    if (this.#swept + age / 10 > ticks()) return;
    this.#swept = ticks();
    for (const { id, touched } of await this.all()) {
      // Not what somebody has who could not renew it while the machine slept for so long.
      if (touched + age <= now() && lapses.isOver(touched)) await this.remove(this.#layout.at(id));
    }
  }

  async #countAll(): Promise<number> {
    const now = this.#times.ticks();
    if (this.#count.at + COUNT_TTL <= now) {
      let calls = 0;
      for (const folder of await this.#folders()) calls += (await this.#journalsIn(folder)).length;
      this.#count = { at: now, calls };
    }
    return this.#count.calls;
  }

  async #giveWay(prefix: string, gives: (id: string) => Promise<boolean>, full: string): Promise<void> {
    for (const { name, id } of await this.#marks.list('ended')) {
      if (!id.startsWith(prefix)) continue;
      const gone = await gives(id);
      if (gone) await this.#marks.drop(name);
      if (gone && (await this.remove(this.#layout.at(id)))) return;
    }
    throw storeIsFull(full);
  }

  async #folders(): Promise<readonly string[]> {
    const names = await this.#disk.readdir(this.#layout.calls);
    return names.filter((name) => SHARE.test(name)).map((name) => join(this.#layout.calls, name));
  }

  async #journalsIn(folder: string): Promise<readonly string[]> {
    const names = await this.#disk.readdir(folder).catch(ifThere([]));
    return names.filter((name) => name.endsWith(JOURNAL));
  }
}

function idOf(folder: string): string {
  return folder.slice(-32);
}
