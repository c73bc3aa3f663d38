import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Operation, until } from 'effection';
import {
  type AuthorKit,
  IGNORE_FILE,
  type KitFiles,
  kitDigest,
  readCopies,
  readKitFolder,
  sameFiles,
} from './kit-files.ts';
import { kindOf, makePlainFolder } from './plain-paths.ts';
import { writeShims } from './shims.ts';

/** Where a folder's `.parley` has what Parley writes for its authors: types, and code for their tests. */
export const GENERATED_FOLDER = '.generated';

/** The kit's file in the build's output: its version, then its files, zipped. */
export const KIT_FILE = 'author-kit.gz';

const VERSION = 32;

/** What stands in that file. */
export function packedKit({ version, files }: AuthorKit): Buffer {
  return Buffer.concat([Buffer.from(version), gzipSync(JSON.stringify(files), { level: 9 })]);
}

/** Reads the kit that the build has put into `dist`. @throws when nothing was built there. */
export function* readKit(dist: string): Operation<AuthorKit> {
  const packed = yield* until(readFile(join(dist, KIT_FILE)));
  const files = JSON.parse(gunzipSync(packed.subarray(VERSION)).toString('utf8')) as KitFiles;
  return {
    version: packed.toString('latin1', 0, VERSION),
    files: { ...files, ...(yield* until(readCopies(dist))) },
  };
}

/** The version of the kit in `dist`, without reading all of it. @throws when nothing was built there. */
export function* readKitVersion(dist: string): Operation<string> {
  const file = yield* until(open(join(dist, KIT_FILE)));
  try {
    const { buffer } = yield* until(file.read({ buffer: Buffer.alloc(VERSION), position: 0 }));
    return buffer.toString('latin1');
  } finally {
    void file.close();
  }
}

/**
 * Whether the folder's `.parley` has the kit of `dist`. It is known by its contents: what a folder says of itself may have
 * been committed by anybody.
 */
export function* hasKit(parleyDir: string, dist: string): Operation<boolean> {
  const dir = join(parleyDir, GENERATED_FOLDER);
  const present = (yield* kindOf(dir)) === 'folder' ? yield* until(readKitFolder(dir)) : undefined;
  if (present === undefined || kitDigest(present) !== (yield* readKitVersion(dist))) return false;
  const copies = yield* until(readCopies(dist));
  return Object.entries(copies).every(([path, text]) => present[path] === text);
}

/**
 * Writes the kit in the place of what was there, all of it or nothing.
 *
 * @throws `LinkedPathError` when `.parley` is a link: what is behind it is not ours to replace
 */
export function* writeKit(parleyDir: string, kit: AuthorKit): Operation<void> {
  yield* makePlainFolder(dirname(parleyDir), parleyDir);
  const target = join(parleyDir, GENERATED_FOLDER);
  const fresh = `${target}.${randomUUID()}`;
  try {
    yield* writeFiles(fresh, { ...kit.files, [IGNORE_FILE]: '*\n' });
    yield* until(rm(target, { recursive: true, force: true }));
    yield* until(rename(fresh, target));
  } catch (error) {
    // Another window on the same folder was faster.
    if (!sameFiles(yield* until(readKitFolder(target)), kit.files)) throw error;
  } finally {
    void rm(fresh, { recursive: true, force: true }).catch(() => {});
  }
  yield* writeShims(parleyDir, kit, GENERATED_FOLDER);
}

/** Into a folder that was not there: its name is random, so no link can be. */
function* writeFiles(dir: string, files: KitFiles): Operation<void> {
  const folders = new Set(Object.keys(files).map((path) => dirname(join(dir, path))));
  for (const folder of folders) yield* until(mkdir(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) yield* until(writeFile(join(dir, path), text));
}
