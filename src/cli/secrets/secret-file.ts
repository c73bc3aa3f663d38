import { open, writeFile } from 'node:fs/promises';
import { UsageError } from '../options.ts';

/**
 * The text of a file that is for its owner's eyes only; `undefined` when there is none.
 *
 * @param what it is, for the error: `token`
 * @throws `UsageError` for one that others can read: it is theirs, too
 */
export async function readSecret(file: string, what: string): Promise<string | undefined> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const { mode } = await handle.stat();
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError(`${file} can be read by others: make a new ${what} after chmod 600 ${file}`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Puts a secret into a new file, readable by its owner only. @throws `EEXIST` where there is one */
export async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
}
