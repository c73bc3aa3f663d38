import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ensure, type Operation, spawn } from 'effection';
import { fromThenable } from '../bridge.ts';

/** Milliseconds after which a folder is one that a crashed window has left. */
const leftOver = 2 * 24 * 3_600_000;

/**
 * The path of a folder for bundles of views that no other window has: two windows of one workspace share its storage. It goes
 * with the caller; those that crashed windows left go after some days.
 */
export function* useViewsFolder(storage: string): Operation<string> {
  const parent = join(storage, 'views');
  const folder = join(parent, randomUUID());
  yield* ensure(() => fromThenable(rm(folder, { recursive: true, force: true })));
  yield* spawn(() => fromThenable(removeOld(parent)));
  return folder;
}

/** Never fails: what cannot be removed is tried again next time. */
async function removeOld(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const path = join(parent, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > leftOver) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
