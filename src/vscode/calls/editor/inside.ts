import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Uri } from 'vscode';

type Place = Pick<Uri, 'scheme' | 'authority' | 'path' | 'fsPath'>;

/**
 * Whether a file is in one of these folders: as it is written, and on a disk also where its links lead to.
 *
 * @param text the URI before it was parsed
 * @throws when it is not.
 */
export async function checkInside(text: string, file: Place, folders: readonly Place[]): Promise<void> {
  const outside = () =>
    new Error(`“${text}” is in no folder of this window: it is neither read nor changed.`);
  // Code that decodes such a path twice, or reads it as that of another system, ends up somewhere else.
  if (/%(?:2f|5c|00)/i.test(text) || file.path.includes('\0')) throw outside();
  if (file.path.split(/[\\/]/).some((segment) => segment === '..' || segment === '.')) throw outside();
  const around = folders.filter((folder) => isBelow(file, folder));
  if (around.length === 0) throw outside();
  if (file.scheme !== 'file') return;
  const target = await realPathOf(file.fsPath);
  if (target === undefined) throw outside();
  const real = await Promise.all(
    folders.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => realPathOf(fsPath)),
  );
  if (!real.some((folder) => folder !== undefined && isWithin(target, folder))) throw outside();
}

function isBelow(file: Place, folder: Place): boolean {
  const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return file.scheme === folder.scheme && file.authority === folder.authority && startsWith(file.path, base);
}

/** Windows is not sure how it writes its drives. */
function startsWith(path: string, base: string): boolean {
  const plain = (one: string) => one.replace(/^\/[a-zA-Z]:/, (drive) => drive.toLowerCase());
  return plain(path).startsWith(plain(base));
}

function isWithin(target: string, folder: string): boolean {
  const way = relative(folder, target);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}

/** Where a path leads to; of a file that is not there yet, where it would be. `undefined` for a link to nowhere. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    const exists = await lstat(path).then(
      () => true,
      () => false,
    );
    if (exists || dirname(path) === path) return undefined;
    const folder = await realPathOf(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}
