import { stat } from 'node:fs/promises';

/** Changes when what is at a path does; empty where nothing is. */
export async function printOf(path: string): Promise<string> {
  return await stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => '',
  );
}

/** The prints of these paths, by path. */
export async function printsOf(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(Array.from(paths, async (path) => [path, await printOf(path)] as const)));
}

/** When a file was changed, in epoch milliseconds, as its print says; 0 where nothing is. */
export function modified(print = ''): number {
  return print === '' ? 0 : Number.parseFloat(print);
}
