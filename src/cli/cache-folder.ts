import { chmodSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../stores/make-folder.ts';

/**
 * A folder of this user for what can be made again, made when it is missing. Nothing where it cannot be had, or where others may write
 * in it: what is kept there is run.
 */
export function cacheFolder(name: string): string | undefined {
  try {
    const own = join(home(), 'parley-mcp');
    const folder = join(own, name);
    makeFolder(folder);
    return [own, folder].every(isOwn) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function home(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg?.startsWith('/')) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), ...(process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']));
}

/** Whether a path is a folder, no link, that this user alone may write in; what it lets others do is taken from them. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  // Windows keeps a user's folders from others by itself.
  if (process.getuid === undefined) return true;
  if (stats.uid !== process.getuid()) return false;
  // What stands in it is of whoever could write until now.
  if ((stats.mode & 0o022) !== 0) return false;
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return true;
}
