import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { callsFolder } from './shared-storage.ts';

/** What `keyName` gives. */
const KEY_NAME = /^[0-9a-f]{16}$/;

/** Whether the calls that this workspace had the last time were sealed with another key, and are there, for nobody to read. */
export function isOtherKey(storage: string, before: unknown, own: string): boolean {
  if (typeof before !== 'string' || !KEY_NAME.test(before) || before === own) return false;
  return existsSync(callsFolder(storage, before));
}

/**
 * Throws away what other keys have sealed in a storage, where nobody has touched it for so long that its own store would: a key that is
 * gone never comes back, and another browser on this server leaves its calls behind for good.
 */
export async function forgetOldKeys(storage: string, own: string, age: number, now: number): Promise<void> {
  const calls = join(storage, 'calls');
  for (const name of await readdir(calls).catch(() => [])) {
    if (name === own || !KEY_NAME.test(name)) continue;
    const folder = callsFolder(storage, name);
    if ((await newestIn(folder)) + age <= now) await rm(folder, { recursive: true, force: true });
  }
}

/** When something in a folder was last written, also by taking it away. Whatever cannot be looked at may be new. */
async function newestIn(folder: string): Promise<number> {
  try {
    const files = await readdir(folder, { recursive: true });
    const times = await Promise.all(
      ['', ...files].map(async (file) => (await stat(join(folder, file))).mtimeMs),
    );
    return Math.max(...times);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
