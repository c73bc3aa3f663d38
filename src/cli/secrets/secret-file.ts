import { open, writeFile } from 'node:fs/promises';
import { UsageError } from '../options.ts';

/** Tries to read a file that another process has just made, and has not filled yet. */
const TRIES = 50;
const PAUSE = 20;

/**
 * The text of a file that is for its owner's eyes only. A new one is put there, readable by its owner only, when there is no such file:
 * of several servers that start at once, one makes it.
 *
 * @param what it is, for errors: `token`
 * @throws `UsageError` for a file that cannot be read or made, that is empty, or that others can read: what is in it is theirs, too
 */
export async function secretIn(file: string, what: string, make: () => string): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = await readSecret(file, what);
    if (text?.trim()) return text.trim();
    if (text === undefined && (await made(file, what, make))) continue;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new UsageError(`${file} is empty, or a broken link: delete it to create a new ${what}`);
}

async function readSecret(file: string, what: string): Promise<string | undefined> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(file, what, 'read', error);
  });
  if (!handle) return undefined;
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new UsageError(`${file} is a folder: name the file of the ${what}`);
    // Windows has no such bits.
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      throw new UsageError(`${file} can be read by others: make a new ${what} after chmod 600 ${file}`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** False where another has made it. */
async function made(file: string, what: string, make: () => string): Promise<boolean> {
  try {
    await writeFile(file, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unusable(file, what, 'made', error as NodeJS.ErrnoException);
  }
}

function unusable(file: string, what: string, done: string, error: NodeJS.ErrnoException): UsageError {
  return new UsageError(`the file of the ${what}, '${file}', cannot be ${done} (${error.code})`, {
    cause: error,
  });
}
