import { relative, sep } from 'node:path';

/** The path of a file seen from a folder, with slashes on every system: as globs, metafiles and imports name it. */
export function pathBelow(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
