import { stat } from 'node:fs/promises';

/** What is at a path. */
export interface Print {
  /** Changes when what is at the path does; empty where nothing is. */
  readonly print: string;
  /** When it came there, in epoch milliseconds: the time that no program sets. */
  readonly since: number;
}

/** What is at a path now. */
export async function lookAt(path: string): Promise<Print> {
  return await stat(path).then(
    ({ mtimeMs, ctimeMs, size, ino }) => ({ print: `${mtimeMs} ${size} ${ino}`, since: ctimeMs }),
    () => ({ print: '', since: 0 }),
  );
}

/** The print alone. */
export async function printOf(path: string): Promise<string> {
  return (await lookAt(path)).print;
}

/** The prints of these paths, by path. */
export async function printsOf(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(Array.from(paths, async (path) => [path, await printOf(path)] as const)));
}

/** When a file was changed, in epoch milliseconds, as its print says; 0 where nothing is. */
export function modified(print = ''): number {
  return print === '' ? 0 : Number.parseFloat(print);
}
