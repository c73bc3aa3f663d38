import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How long others may take with what they do under a lock, in milliseconds: what it is for is installed meanwhile. */
const PATIENCE = 20 * 60_000;

/**
 * Runs `work` while this process alone holds the lock file; others, in any process, wait their turn.
 * A lock whose owner has died is taken over.
 * @throws Error when the lock is not free after twenty minutes
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  let told = false;
  const begun = Date.now();
  while (!(await take(file))) {
    if (!told) {
      told = true;
      onWait();
    }
    if (Date.now() - begun > PATIENCE) {
      const owner = await readFile(file, 'utf8').catch(() => '');
      throw new Error(
        `The lock ${file} is not free: process ${owner || 'unknown'} has it. Delete it if that is none of ours.`,
      );
    }
    await delay(500);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const owner = Number(await readFile(file, 'utf8').catch(() => ''));
    // An empty file is an owner that has not written its id yet.
    if (owner > 0 && !isAlive(owner)) await rm(file, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
