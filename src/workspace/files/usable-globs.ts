import { posix } from 'node:path';

/** Characters: what is made of a longer one may be more than the process has room for. */
const LONGEST = 1_000;

/** Globs as written, relative to a folder. */
export interface SortedGlobs {
  readonly usable: readonly string[];
  /** Those that are too long, or lead out of the folder, of which its trust says nothing. */
  readonly others: readonly string[];
}

/** Tells the globs that files are looked for with from all others. */
export function sortGlobs(globs: readonly string[]): SortedGlobs {
  const usable = globs.filter((glob) => glob.length <= LONGEST && staysInside(glob));
  return { usable, others: globs.filter((glob) => !usable.includes(glob)) };
}

function staysInside(glob: string): boolean {
  return !/^([A-Za-z]:|\/|\\|\.\.(\/|$))/.test(posix.normalize(glob));
}
