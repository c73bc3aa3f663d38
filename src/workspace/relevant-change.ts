import { basename, join, relative, sep } from 'node:path';
import { TOOLS_FOLDER } from './find-tool-files.ts';

/** What a folder's last load knows about the files it came from. */
export interface LoadedFrom {
  readonly folder: string;
  readonly inputs: ReadonlySet<string>;
  /** Something is wrong, and a file that was not read so far may mend it. */
  readonly incomplete: boolean;
}

/** Whether a change of this path (a file, or a folder that came or went) can change what the folder's tools are. */
export function isRelevantChange(path: string, { folder, inputs, incomplete }: LoadedFrom): boolean {
  const tools = join(folder, TOOLS_FOLDER);
  if (isWithin(tools, path) || isWithin(path, tools) || inputs.has(path)) return true;
  if (!isWithin(folder, path)) return false;
  if (/[\\/](node_modules|\.git|\.out)([\\/]|$)/.test(path.slice(folder.length))) return false;
  return incomplete || /^(package|[tj]sconfig.*)\.json$/.test(basename(path));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`));
}
