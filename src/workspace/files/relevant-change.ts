import { basename, extname, join, relative, sep } from 'node:path';
import { fixedPart, TOOLS_FOLDER } from './find-tool-files.ts';
import { globToRegExp } from './glob.ts';
import { pathBelow } from './path-below.ts';

/** What a folder's last load knows about the files it came from. */
export interface LoadedFrom {
  readonly folder: string;
  readonly inputs: ReadonlySet<string>;
  /** Something is wrong, and a file that was not read so far may mend it. */
  readonly incomplete: boolean;
  /** More tool files, as globs relative to the folder. */
  readonly include?: readonly string[];
}

/** Whether a change of this path (a file, or a folder that came or went) can change what the folder's tools are. */
export function isRelevantChange(
  path: string,
  { folder, inputs, incomplete, include = [] }: LoadedFrom,
): boolean {
  const tools = join(folder, TOOLS_FOLDER);
  if (isWithin(tools, path) || isWithin(path, tools) || inputs.has(path)) return true;
  if (!isWithin(folder, path)) return false;
  if (/[\\/](node_modules|\.git|\.out|\.generated)([\\/]|$)/.test(path.slice(folder.length))) return false;
  if (include.some((pattern) => mayMatch(pattern, path, folder))) return true;
  return incomplete || /^(package|[tj]sconfig.*)\.json$/.test(basename(path));
}

/** Whether a path matches a glob, or may be a folder that holds what does. */
function mayMatch(pattern: string, path: string, folder: string): boolean {
  if (globToRegExp(pattern).test(pathBelow(folder, path))) return true;
  const fixed = join(folder, fixedPart(pattern));
  return extname(path) === '' && (isWithin(fixed, path) || isWithin(path, fixed));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`));
}
