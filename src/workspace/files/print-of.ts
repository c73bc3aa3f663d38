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
