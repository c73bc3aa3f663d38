import { join } from 'node:path';
import type { Lapses } from '../lapses.ts';
import type { Disk } from './disk.ts';
import { ifThere } from './log-file.ts';
import { isDead, ownerIn } from './owner.ts';

/** A mark, read. `time` is that of a `due` mark. */
export interface Mark {
  readonly name: string;
  readonly id: string;
  readonly time: number;
}

/**
 * Small files whose names say where to look, so that finding what is due among ten thousand calls reads none of the others. They
 * are hints: what a journal says counts. A mark is there before what it stands for, and goes after it.
 */
export class Marks {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** @param time milliseconds since the epoch, of a `due` mark */
  static nameOf(kind: 'held' | 'due' | 'ended', id: string, time = 0): string {
    return `${kind}.${String(Math.max(0, Math.ceil(time))).padStart(16, '0')}.${id}`;
  }

  async put(name: string, text = ''): Promise<void> {
    await this.#disk.writeFile(join(this.#folder, name), text, 0o600);
  }

  async drop(name: string): Promise<void> {
    await this.#disk.unlink(join(this.#folder, name)).catch(ifThere(undefined));
  }

  /** All marks of a kind, those with the earliest time first. */
  async list(kind: 'held' | 'due' | 'ended'): Promise<readonly Mark[]> {
    const names = await this.#disk.readdir(this.#folder);
    return names
      .filter((name) => name.startsWith(`${kind}.`))
      .sort()
      .map((name) => {
        const [, time, ...id] = name.split('.');
        return { name, id: id.join('.'), time: Number(time) };
      });
  }

  /** Whether a call is held for certain, as far as that can be told without reading its journal. */
  async isFresh({ name }: Mark, journal: string, lapses: Lapses): Promise<boolean> {
    const touched = await this.#disk.stat(journal).then(({ mtimeMs }) => mtimeMs, ifThere(0));
    if (lapses.isOver(touched)) return false;
    const owner = ownerIn(await this.#disk.readFile(join(this.#folder, name)).catch(ifThere('')));
    return owner !== undefined && !isDead(owner);
  }

  /** When a mark was put. */
  async age(name: string): Promise<number> {
    return await this.#disk.stat(join(this.#folder, name)).then(({ mtimeMs }) => mtimeMs, ifThere(0));
  }
}
