import { randomBytes } from 'node:crypto';
import { UsageError } from '../options.ts';
import { secretIn } from './secret-file.ts';

const KEY_BYTES = 32;

/**
 * The keys in a file, one a line: the first seals, all of them open. A new one is put there when there is no such file.
 *
 * @throws `UsageError` for a line that is no key, and for a file that cannot be used
 */
export async function keysIn(file: string): Promise<readonly Uint8Array[]> {
  const text = await secretIn(file, 'key', () => randomBytes(KEY_BYTES).toString('base64url'));
  return text.split(/\s*\n\s*/).map((line) => keyOf(line, file));
}

function keyOf(line: string, file: string): Uint8Array {
  const key = Buffer.from(line, 'base64url');
  if (/^[\w+/-]{43}=?$/.test(line) && key.length === KEY_BYTES) return key;
  throw new UsageError(
    `${file} contains a line that is not a key: 32 bytes in base64, as openssl rand -base64 32 makes them`,
  );
}
