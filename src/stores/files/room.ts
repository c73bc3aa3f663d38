import { join } from 'node:path';
import { addLoad, type Crowd, crowd, type Load } from '../../runtime/data/crowd.ts';
import type { StoreBounds } from '../bounds.ts';
import { gaveWay, storeIsFull } from '../full.ts';
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
  /** Of its journal. */
  readonly bytes: number;
}

/** How long a count of all calls is good for, milliseconds, unless it took long itself: other processes begin some, too. */
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
  #count = { until: Number.NEGATIVE_INFINITY, loads: new Map<string, Load>() };
  readonly #told: (problem: Error) => void;
  #swept: number;

  constructor(
    disk: Disk,
    layout: Layout,
    marks: Marks,
    bounds: Required<StoreBounds>,
    times: RoomTimes,
    told: (problem: Error) => void,
  ) {
    this.#told = told;
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
   * @param gives whether a call can go now: one that has ended, or one that waits
   * @throws `StoreFullError`
   */
  async admit(
    principal: string,
    bytes: number,
    gives: (id: string, waits: boolean) => Promise<boolean>,
  ): Promise<void> {
    const who = idOf(this.#layout.share(principal));
    await this.#countAll();
    for (;;) {
      const full = crowd(this.#count.loads, who, { calls: 1, bytes }, this.#bounds);
      if (!full) break;
      if (await this.#endedGivesWay(full.own ? `${who}.` : '', gives)) continue;
      if (!(await this.#waitingGivesWay(full, gives))) throw storeIsFull(full.full);
      this.#told(gaveWay(full.full));
    }
    addLoad(this.#count.loads, who, { calls: 1, bytes });
  }

  /** All calls, in no order. */
  async all(principal?: string): Promise<readonly Found[]> {
    const folders = principal === undefined ? await this.#folders() : [this.#layout.share(principal)];
    const found: Found[] = [];
    for (const folder of folders) found.push(...(await this.#allIn(folder)));
    return found;
  }

  async #allIn(folder: string): Promise<Found[]> {
    const names = await this.#journalsIn(folder);
    const stats = await atOnce(names, (name) =>
      this.#disk.stat(join(folder, name)).catch(ifThere(undefined)),
    );
    return names.flatMap((name, at) => {
      const stat = stats[at];
      const id = `${idOf(folder)}.${name.slice(0, -JOURNAL.length)}`;
      return stat ? [{ id, touched: stat.mtimeMs, bytes: stat.size }] : [];
    });
  }

  /** Throws a call away. False when there was none. */
  async remove({ id, journal, events }: CallPaths): Promise<boolean> {
    const bytes = await this.#disk.stat(journal).then(({ size }) => size, ifThere(0));
    const was = await this.#disk.unlink(journal).then(() => true, ifThere(false));
    await this.#disk.unlink(events).catch(ifThere(undefined));
    await this.#marks.drop(Marks.nameOf('held', id));
    if (was) addLoad(this.#count.loads, shareIn(id), { calls: 1, bytes }, -1);
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

  async #countAll(): Promise<void> {
    const began = this.#times.ticks();
    if (this.#count.until > began) return;
    const loads = new Map<string, Load>();
    for (const { id, bytes } of await this.all()) addLoad(loads, shareIn(id), { calls: 1, bytes });
    const took = this.#times.ticks() - began;
    this.#count = { until: began + Math.max(COUNT_TTL, 50 * took), loads };
  }

  async #endedGivesWay(
    prefix: string,
    gives: (id: string, waits: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    for (const { name, id } of await this.#marks.list('ended')) {
      if (!id.startsWith(prefix)) continue;
      const gone = await gives(id, false);
      if (gone) await this.#marks.drop(name);
      if (gone && (await this.remove(this.#layout.at(id)))) return true;
    }
    return false;
  }

  async #waitingGivesWay(
    { most }: Crowd,
    gives: (id: string, waits: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    for (const whose of most) {
      const all = await this.#allIn(join(this.#layout.calls, whose));
      for (const { id } of all.sort((a, b) => a.touched - b.touched)) {
        if ((await gives(id, true)) && (await this.remove(this.#layout.at(id)))) return true;
      }
    }
    return false;
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

/** The folder of a call's principal, by name. */
function shareIn(id: string): string {
  return id.slice(0, 32);
}

function idOf(folder: string): string {
  return folder.slice(-32);
}
