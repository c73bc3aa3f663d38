import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDead, ownerIn, thisProcess } from './owner.ts';

/**
 * Whether this process is the one that makes what all processes of this machine share: of several that ask at once, one. It has
 * `patience` milliseconds; after that, or when it has ended, the next that asks is. Turns are numbered and never taken back, so
 * that nobody ends a turn that began meanwhile.
 */
export async function isMaker(folder: string, name: string, patience: number): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = JSON.stringify(thisProcess());
  for (let turn = 1; ; turn += 1) {
    const path = join(folder, `${name}.maker-${turn}`);
    try {
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!(await isOver(path, patience))) return false;
  }
}

async function isOver(path: string, patience: number): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  // Names nobody while it is being written.
  const owner = ownerIn(await readFile(path, 'utf8'));
  return mtimeMs + patience <= Date.now() || (owner !== undefined && isDead(owner));
}
