import { isParleyError } from '../../core/errors/errors.ts';
import { StoreUnavailableError } from '../../core/errors/store-errors.ts';

const SAYS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space; saved calls are not lost.',
  EDQUOT: 'your quota on this disk is used up. Free some space; saved calls are not lost.',
  EFBIG: 'files may not grow any more on this disk. Raise the limit (ulimit -f); saved calls are not lost.',
  EROFS: 'it is on a disk that cannot be written to. Choose another folder.',
  EACCES: 'this user has no permission to write there. Grant it, or choose another folder.',
  EPERM: 'this user has no permission to write there. Grant it, or choose another folder.',
  ENOTDIR: 'there is a file where a folder should be. Move it, or choose another folder.',
  EMFILE: 'this process has too many files open. Raise its limit (ulimit -n).',
  ENFILE: 'this machine has too many files open. Close some programs.',
};

/** What a person reads of an error of the file system; errors of Parley are what they are. */
export function unavailable(folder: string, error: unknown): unknown {
  if (isParleyError(error) || !(error instanceof Error) || !('syscall' in error || 'code' in error))
    return error;
  const says = SAYS[String((error as NodeJS.ErrnoException).code)] ?? `${error.message}.`;
  return new StoreUnavailableError(folder, says, { cause: error });
}
