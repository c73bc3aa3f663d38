import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensure, type Operation, spawn } from 'effection';
import { isDead, ownerIn, thisProcess } from '../../../stores/owner.ts';
import { fromThenable } from '../../bridge.ts';

/** Milliseconds after which a folder is one that a crashed window has left, where nothing says that the window is there. */
const leftOver = 2 * 24 * 3_600_000;

/** Says in a folder whose it is. */
const OWNER = 'owner.json';

/**
 * The path of a folder for bundles of views that no other window has: two windows of one workspace share its storage. It goes
 * with the caller; those that crashed windows left go after some days.
 */
export function* useViewsFolder(storage: string): Operation<string> {
  const parent = join(storage, 'views');
  const folder = join(parent, randomUUID());
  yield* ensure(() => fromThenable(rm(folder, { recursive: true, force: true })));
  yield* spawn(() => fromThenable(signAndTidy(folder, parent)));
  return folder;
}

/** Never fails: without storage there is nothing to tidy. */
async function signAndTidy(folder: string, parent: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, OWNER), JSON.stringify(thisProcess()));
  } catch {
    // As if nobody had said whose it is.
  }
  await removeOld(parent);
}

/** Whether a folder is of a window that is still there: it may be open for weeks, and nothing in it changes. */
async function isInUse(folder: string): Promise<boolean> {
  const owner = ownerIn(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
  return owner !== undefined && owner.place === thisProcess().place && !isDead(owner);
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
    if (age > leftOver && !(await isInUse(path)))
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
