import { isParleyError } from '../../core/errors/errors.ts';
import { StoreUnavailableError } from '../../core/errors/store-errors.ts';

const FULL = 'the disk is full. Free some space; saved calls are not lost.';
const NO_PERMISSION = 'this user has no permission to write there. Grant it, or choose another folder.';
const READ_ONLY = 'it is on a disk that cannot be written to. Choose another folder.';
const A_FILE = 'there is a file where a folder should be. Move it, or choose another folder.';
const MISSING = 'it is gone. Put it back, or restart what uses it.';

/** By the codes of the file system and, without what they say more exactly, of SQLite. */
const SAYS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  ENOSPC: FULL,
  EDQUOT: 'your quota on this disk is used up. Free some space; saved calls are not lost.',
  EROFS: READ_ONLY,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EEXIST: A_FILE,
  ENOTDIR: A_FILE,
  EMFILE: 'this process has too many files open. Raise its limit (ulimit -n).',
  ENFILE: 'this machine has too many files open. Close some programs.',
  '3': NO_PERMISSION,
  '8': 'it cannot be written to. Give this user permission to write the folder and its files, or choose another folder.',
  '10': 'the disk reports an error. It may be full, or may not let files grow (ulimit -f); see the log of the system. Saved calls are not lost.',
  '11': 'it is damaged. Restore a copy of it while nothing uses it, or move it away to start with an empty one.',
  '13': FULL,
  '14': 'it cannot be opened. Give this user permission to write the folder and its files, or choose another folder.',
  '26': 'it is no database. Move it away, or choose another folder.',
};

/** Another process has it now: 5 and 6, or was first while it was opened: 15. */
const BUSY: ReadonlySet<number> = new Set([5, 6, 15]);

/** Whether another process has the database now, so that nothing has happened. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error) ?? 0);
}

export function isOfSqlite(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

/** What a person reads of an error of the file system or SQLite; errors of Parley and of who called are what they are. */
export function unavailable(where: string, error: unknown): unknown {
  if (isParleyError(error) || !(error instanceof Error) || !('code' in error)) return error;
  const says = SAYS[String(codeOf(error) ?? error.code)] ?? `${error.message}.`;
  return new StoreUnavailableError({ where, problem: says, cause: error });
}

/** The number of SQLite's errors, without what it says more exactly. */
function codeOf(error: unknown): number | undefined {
  const code: unknown = Object(error).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
