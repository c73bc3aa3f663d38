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

/** How far the clock of a file system may be behind ours, in milliseconds: Linux lets it tick a hundred times a second, or more often. */
const TICK = 20;

/** Whether what has this print was changed before a moment (epoch milliseconds) for sure; what is not there was. */
export function wasChangedBefore(print: string, moment: number): boolean {
  return (print === '' ? 0 : Number.parseFloat(print)) < moment - TICK;
}
