import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathBelow } from '../files/path-below.ts';

/** Text by path below the generated folder. */
export type KitFiles = Readonly<Record<string, string>>;

/**
 * What makes completion, type checking and tests of tools work with no `npm install`: the declarations of all that
 * Parley lends to tools, and the code that tests of tools run. Made by the build (`build/author-kit.ts`).
 */
export interface AuthorKit {
  /** Changes with the contents. */
  readonly version: string;
  readonly files: KitFiles;
}

/** Files of a kit that Parley has anyway: path below the generated folder → path in the build's output. */
export const COPIES: KitFiles = { 'zod/index.js': 'shared/zod.js' };

/** What the generated folder has beside the kit. */
export const IGNORE_FILE = '.gitignore';

/** The version of a kit: a hash of its files, without those that are copies. */
export function kitDigest(files: KitFiles): string {
  const hash = createHash('sha256');
  for (const path of Object.keys(files).sort()) {
    if (path in COPIES) continue;
    const text = createHash('sha256').update(files[path] ?? '');
    hash.update(`${path}\0${text.digest('hex')}\0`);
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * The copies, from the build's output in `dist`. Their source maps stay there: Node tells no coverage at all where one is named and
 * not found. @throws when nothing was built there.
 */
export async function readCopies(dist: string): Promise<KitFiles> {
  const read = Object.entries(COPIES).map(async ([path, from]) => {
    const text = await readFile(join(dist, from), 'utf8');
    return [path, text.replace(/^\/\/# sourceMappingURL=\S*\s*$/m, '')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** The kit's files that a folder has. Nothing when there is no folder, or when anything in it is a link. */
export async function readKitFolder(dir: string): Promise<KitFiles | undefined> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined || !entries.every((entry) => entry.isFile() || entry.isDirectory())) {
    return undefined;
  }
  const read = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(async (file) => [pathBelow(dir, file), await readFile(file, 'utf8')] as const);
  const files = await Promise.all(read);
  return Object.fromEntries(files.filter(([path]) => path !== IGNORE_FILE));
}

/** Whether two kits hold the same. */
export function sameFiles(a: KitFiles | undefined, b: KitFiles): boolean {
  if (a === undefined) return false;
  const paths = Object.keys(a);
  return paths.length === Object.keys(b).length && paths.every((path) => a[path] === b[path]);
}
