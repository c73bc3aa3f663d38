import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../core/errors/store-errors.ts';
import { makeFolder } from './make-folder.ts';
import { createSqliteStore, type SqliteStore } from './sqlite/sqlite-store.ts';
import { unavailable } from './sqlite/unavailable.ts';

const KEY_BYTES = 32;

/** Questions are small, and an inbox of more is none. Who died without a word is swept. */
const bounds = {
  calls: 4_000,
  share: 4_000,
  bytes: 2 ** 26,
  shareBytes: 2 ** 26,
  callBytes: 2 ** 18,
  age: 86_400_000,
};

/**
 * Opens what waits for the person of this machine, over all their programs: a store in a folder for this user only.
 *
 * @throws `StoreUnavailableError` for a folder, or a key, that cannot be used
 */
export function openMachineInbox(folder: string, onProblem: (error: unknown) => void): SqliteStore {
  return createSqliteStore({ folder, keys: [keyIn(folder)], bounds, onProblem });
}

/** The key beside it, for its owner's eyes only; of several processes that start at once, one makes it. */
function keyIn(folder: string): Uint8Array {
  const file = join(folder, 'key');
  try {
    makeFolder(folder);
    checkOwn(folder);
    return readKey(file) ?? madeKey(file);
  } catch (error) {
    throw unavailable(folder, error);
  }
}

function madeKey(file: string): Uint8Array {
  // Whole when it has its name: nobody reads half of it.
  const made = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(made, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  const key = readKey(file);
  if (!key) throw unusable(file, 'was deleted.');
  return key;
}

function readKey(file: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  checkOwn(file);
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw unusable(file, 'does not contain a key. Delete it, and all that waits with it.');
  return key;
}

/** Others could read what waits, or answer it. Windows has no such bits. */
function checkOwn(path: string): void {
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.())
    throw unusable(path, 'can be opened by other users. Take that away (chmod go=).');
}

function unusable(where: string, problem: string): Error {
  return new StoreUnavailableError({ where, problem: `${where} ${problem}` });
}
