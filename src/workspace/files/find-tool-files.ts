import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, until } from 'effection';
import { globToRegExp } from './glob.ts';
import { pathBelow } from './path-below.ts';

/** Where a folder's tools are, relative to it. */
export const TOOLS_FOLDER = '.parley/tools';

const SOURCE = /\.(ts|tsx|js|mjs)$/;
const NOT_A_TOOL = /\.(view|test|spec|d)\.\w+$/;

/** Whether a file may hold tools, by its name: views, tests and declarations do not. */
export function isToolFileName(path: string): boolean {
  return SOURCE.test(path) && !NOT_A_TOOL.test(path);
}

/** What was found in a folder: absolute paths, sorted. */
export interface FoundFiles {
  /** Files that may hold tools. */
  readonly files: readonly string[];
  /** Links among the tools that lead to such a file or to a folder. None is followed. */
  readonly links: readonly string[];
}

/**
 * The files of a folder that may hold tools: those under `.parley/tools`, and what `include` (globs relative to the
 * folder) adds. A folder that is gone has none.
 */
export function* findToolFiles(folder: string, include: readonly string[] = []): Operation<FoundFiles> {
  const links: string[] = [];
  const files = new Set(yield* filesUnder(join(folder, TOOLS_FOLDER), links));
  for (const pattern of include) {
    const wanted = globToRegExp(pattern);
    // Globs that begin with `..` would reach what the folder's trust does not cover.
    for (const file of yield* filesUnder(join(folder, fixedPart(pattern)))) {
      const path = pathBelow(folder, file);
      if (!path.startsWith('../') && wanted.test(path)) files.add(file);
    }
  }
  return { files: [...files].sort(), links: (yield* leading(links)).sort() };
}

/** The folders of a glob before its first wildcard. */
export function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?{[]/.test(part));
  return parts.slice(0, wild === -1 ? -1 : wild).join('/');
}

/** Folders that are read at the same time. */
const AT_ONCE = 16;

/** The files below a folder that may hold tools; `links` gets the links there. A glob may lead through a whole repository. */
function* filesUnder(top: string, links?: string[]): Operation<string[]> {
  const files: string[] = [];
  const folders = [top];
  while (folders.length > 0) {
    const some = folders.splice(-AT_ONCE);
    // Among them may be folders of other programs, such as a database's: what cannot be read there is no tool of ours.
    const listed = some.map((dir) => entriesOf(dir, dir === top ? NOT_THERE : UNREADABLE));
    for (const [at, entries] of (yield* until(Promise.all(listed))).entries()) {
      for (const entry of entries) {
        const path = () => join(some[at] ?? top, entry.name);
        if (entry.isFile() && isToolFileName(entry.name)) files.push(path());
        else if (entry.isSymbolicLink()) links?.push(path());
        else if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
          folders.push(path());
      }
    }
  }
  return files;
}

/** Links to what would be looked at, were it not behind one. */
function* leading(links: readonly string[]): Operation<string[]> {
  const found: string[] = [];
  for (const link of links) {
    const behind = yield* until(stat(link).catch(() => undefined));
    if (behind?.isDirectory() || (behind?.isFile() && isToolFileName(link))) found.push(link);
  }
  return found;
}

const NOT_THERE: readonly string[] = ['ENOENT', 'ENOTDIR'];
const UNREADABLE: readonly string[] = [...NOT_THERE, 'EACCES', 'EPERM'];

/** What a folder holds; nothing where it cannot be read for one of these reasons. */
async function entriesOf(dir: string, without: readonly string[]): Promise<readonly Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (without.includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
}
