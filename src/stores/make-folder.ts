import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, for one user unless a mode says otherwise, and those above it. Not with `recursive`: Node tries for ever then where the system says that something is
 * missing and nothing is, as in `/proc`.
 *
 * @throws what the system says of the folder that cannot be made
 */
export function makeFolder(folder: string, mode = 0o700): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (isFolder(folder)) return;
    const above = dirname(folder);
    const lacksParent = (error as NodeJS.ErrnoException).code === 'ENOENT' && !isFolder(above);
    if (!lacksParent || above === folder) throw error;
    makeFolder(above, mode);
    makeFolder(folder, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
