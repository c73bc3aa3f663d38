import { randomBytes } from 'node:crypto';
import { UsageError } from '../options.ts';
import { readSecret, writeSecret } from './secret-file.ts';

const KEY_BYTES = 32;

/** Tries to read a file that another process has just made, and has not filled yet. */
const TRIES = 50;
const PAUSE = 20;

/**
 * The keys in a file, one a line: the first seals, all of them open. A new one is put there, readable by its owner only, when there
 * is no such file.
 *
 * @throws `UsageError` for a line that is no key, and for a file that others can read
 */
export async function keysIn(file: string): Promise<readonly Uint8Array[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = await readSecret(file, 'key');
    if (text?.trim())
      return text
        .trim()
        .split(/\s*\n\s*/)
        .map((line) => keyOf(line, file));
    if (text === undefined && (await made(file))) continue;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new UsageError(`${file} is empty: delete it, and a new key is made`);
}

function keyOf(line: string, file: string): Uint8Array {
  const key = Buffer.from(line, 'base64url');
  if (/^[\w+/-]{43}=?$/.test(line) && key.length === KEY_BYTES) return key;
  throw new UsageError(
    `${file} holds a line that is no key: 32 bytes in base64, as openssl rand -base64 32 makes them`,
  );
}

/** Of several servers that start at once, one makes the key. */
async function made(file: string): Promise<boolean> {
  const key = randomBytes(32).toString('base64url');
  return await writeSecret(file, key).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return true;
      throw error;
    },
  );
}
