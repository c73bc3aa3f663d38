import type { KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import type { KeyRing } from '../../runtime/data/key-ring.ts';
import type { Disk, OpenFile } from './disk.ts';
import { keyOf, newHead, openLines, START, sealLine, type Tail } from './sealed-lines.ts';

/** A file of sealed lines as somebody has seen it: enough to write the next line. */
export interface LogFile {
  readonly path: string;
  readonly head: string;
  readonly key: KeyObject;
  tail: Tail;
  size: number;
}

/** A file of sealed lines, read. */
export interface ReadLog {
  readonly log: LogFile;
  readonly values: readonly unknown[];
  readonly tails: readonly Tail[];
  /** When it was last written or touched, milliseconds since the epoch. */
  readonly touched: number;
}

/** What seals one kind of file. */
export interface Sealing {
  readonly disk: Disk;
  readonly ring: KeyRing;
  /** What the lines are bound to: the store, the call, the kind of file. */
  readonly use: string;
  /** Whether they have to survive a power failure, beside the end of the process. */
  readonly durable: boolean;
  /** Longest file, bytes. */
  readonly most: number;
  /** Files say when they were written by this clock, milliseconds since the epoch. */
  now(): number;
}

/** Makes a file with its first lines. @throws what the system says; nothing is left then. `EEXIST` where there is one */
export async function createLog(
  path: string,
  sealing: Sealing,
  values: readonly unknown[],
): Promise<LogFile> {
  const { disk, ring, use, durable, now } = sealing;
  const head = newHead(ring);
  const key = keyOf(head, ring, use, path);
  let tail = START;
  let text = `${head}\n`;
  for (const value of values) {
    const line = sealLine(key, tail, value);
    text += line.text;
    tail = line.tail;
  }
  const file = await disk.open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (durable) await file.datasync();
    await file.utimes(now() / 1000, now() / 1000);
  } catch (error) {
    await disk.unlink(path).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  if (durable) await syncFolder(disk, dirname(path));
  return { path, head, key, tail, size: Buffer.byteLength(text) };
}

/** Puts a file with these lines in the place of the one that is there. */
export async function replaceLog(
  path: string,
  sealing: Sealing,
  values: readonly unknown[],
): Promise<LogFile> {
  const draft = `${path}.new`;
  await sealing.disk.unlink(draft).catch(() => {});
  const log = await createLog(draft, sealing, values);
  await sealing.disk.rename(draft, path);
  return { ...log, path };
}

/** Reads a file; `undefined` when there is none. */
export async function readLog(path: string, { disk, ring, use }: Sealing): Promise<ReadLog | undefined> {
  const file = await openThere(disk, path, constants.O_RDONLY);
  if (!file) return undefined;
  try {
    const { mtimeMs, size } = await file.stat();
    const bytes = await readStart(file, size);
    const text = bytes.toString('latin1');
    const end = text.indexOf('\n');
    // Cut in its first line: it was never made.
    if (end < 0) return undefined;
    const head = text.slice(0, end);
    const key = keyOf(head, ring, use, path);
    const { values, tails } = openLines(key, text.slice(end + 1), path);
    const tail = tails.at(-1) ?? START;
    return { log: { path, head, key, tail, size: bytes.length }, values, tails, touched: mtimeMs };
  } finally {
    await file.close();
  }
}

/**
 * What came of an append. `moved`: the line does not count, because the file is not as `log` says any more; read it again. `gone`:
 * there is no such file any more. `full`: the file would be too long.
 */
export type Appended = 'written' | 'moved' | 'gone' | 'full';

/**
 * Appends a line. No lock is held: the file is opened for appending, so lines of two processes stand one behind the
 * other, and a line that somebody else came before does not count. What need not wait for each other does not: in a process that is busy each
 * wait is long.
 *
 * @param first what has to have happened before the line is written
 */
export async function appendLog(
  log: LogFile,
  sealing: Sealing,
  value: unknown,
  first?: Promise<unknown>,
): Promise<Appended> {
  const file = await openThere(sealing.disk, log.path, constants.O_RDWR | constants.O_APPEND);
  if (!file) return 'gone';
  try {
    const [before, isSame] = await Promise.all([file.stat(), startsWith(file, `${log.head}\n`), first]);
    if (before.size !== log.size || !isSame) return 'moved';
    const { text, tail } = sealLine(log.key, log.tail, value);
    // Behind what a crash may have cut.
    const bytes = Buffer.from(`\n${text}`);
    if (log.size + bytes.length > sealing.most) return 'full';
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const seconds = sealing.now() / 1000;
    const [{ size, nlink }] = await Promise.all([
      file.stat(),
      file.utimes(seconds, seconds),
      sealing.durable && file.datasync(),
    ]);
    if (nlink === 0) return 'gone';
    if (size === log.size + bytes.length) {
      log.tail = tail;
      log.size = size;
      return 'written';
    }
    // Somebody else has written, too: whose line came first, counts. What `log` says is old in either case.
    const now = await readLog(log.path, sealing);
    return now?.tails[tail.position]?.tag === tail.tag ? 'written' : 'moved';
  } finally {
    await file.close();
  }
}

/** Says that somebody still works on it. False when there is no such file. */
export async function touch(disk: Disk, path: string, now: number): Promise<boolean> {
  const seconds = now / 1000;
  return await disk.utimes(path, seconds, seconds).then(() => true, ifThere(false));
}

/** So many bytes from the start, or as many as there are. It waits once as a rule, where `readFile` waits three times. */
async function readStart(file: OpenFile, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function startsWith(file: OpenFile, head: string): Promise<boolean> {
  const start = Buffer.alloc(head.length);
  await file.read(start, 0, head.length, 0);
  return start.toString('latin1') === head;
}

async function openThere(disk: Disk, path: string, flags: number): Promise<OpenFile | undefined> {
  return await disk.open(path, flags).catch(ifThere(undefined));
}

/** For what is not there any more. */
export function ifThere<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  };
}

/** Makes sure that a new file is still in its folder after the power has failed. */
async function syncFolder(disk: Disk, path: string): Promise<void> {
  // Not every system can: those that cannot keep their folders by themselves.
  const folder = await disk.open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
