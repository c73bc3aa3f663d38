import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Operation, until } from 'effection';

/**
 * Something below a folder of the person's is a link, or is no folder. What is written there would land elsewhere, in a
 * place that whoever committed the link has chosen.
 */
export class LinkedPathError extends Error {
  override readonly name = 'LinkedPathError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is a link, or no folder, so nothing is written there. Remove it, or make it a folder.`);
    this.path = path;
  }
}

/**
 * Makes `dir` below `root`, a folder at a time, and follows no link on the way. What is above `root` is the person's own.
 *
 * @throws {@link LinkedPathError}
 */
export function* makePlainFolder(root: string, dir: string): Operation<void> {
  let path = root;
  for (const part of relative(root, dir).split(sep)) {
    if (part === '') continue;
    path = join(path, part);
    if ((yield* kindOf(path)) === 'nothing') yield* until(mkdir(path).catch(unlessThere));
    if ((yield* kindOf(path)) !== 'folder') throw new LinkedPathError(path);
  }
}

/** What is at a path itself, whatever a link there points to. */
export function* kindOf(path: string): Operation<'nothing' | 'file' | 'folder' | 'other'> {
  try {
    const found = yield* until(lstat(path));
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    // Below a file there is nothing, either.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'nothing';
    throw error;
  }
}

/** Another window on the same folder was faster. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
