import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDead, ownerIn, thisProcess } from './owner.ts';

/** The turn of the process that makes something. */
export interface MakerTurn {
  /** It is being made: a process that does not find it within `soon` milliseconds has another folder for it, and makes its own. */
  made(soon: number): Promise<void>;
}

/**
 * The turn of this process to make what all processes of this machine share: of several that ask at once, one has it. It lasts
 * `patience` milliseconds; after that, or when its process has ended, the next that asks has one. Turns are numbered and never taken back, so
 * that nobody ends a turn that began meanwhile.
 */
export async function makerTurn(
  folder: string,
  name: string,
  patience: number,
): Promise<MakerTurn | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = JSON.stringify(thisProcess());
  for (let turn = 1; ; turn += 1) {
    const path = join(folder, `${name}.maker-${turn}`);
    try {
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      return {
        async made(soon) {
          const began = new Date(Date.now() - patience + soon);
          await utimes(path, began, began);
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!(await isOver(path, patience))) return undefined;
  }
}

async function isOver(path: string, patience: number): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  // Names nobody while it is being written.
  const owner = ownerIn(await readFile(path, 'utf8'));
  return mtimeMs + patience <= Date.now() || (owner !== undefined && isDead(owner));
}
