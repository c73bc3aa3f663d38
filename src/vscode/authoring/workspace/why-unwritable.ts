import { dirname } from 'node:path';
import type { Translate } from '../../calls/notices/explain.ts';

/** Why a folder cannot be written to, and what to do; nothing for an error of another kind. */
export function whyUnwritable(error: unknown, t: Translate): string | undefined {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return undefined;
  const { path } = error;
  if (error.name === 'LinkedPathError')
    return t(
      '“{0}” is a link or not a folder, so nothing was written. Remove it, or create a folder in its place.',
      path,
    );
  const folder = dirname(path);
  switch ('code' in error && error.code) {
    case 'EACCES':
    case 'EPERM':
      return t(
        'You do not have permission to write to “{0}”. Change its permissions, or open another folder.',
        folder,
      );
    case 'EROFS':
      return t('“{0}” is on a read-only disk. Open a writable copy.', folder);
    case 'ENOSPC':
    case 'EDQUOT':
      return t('The disk of “{0}” is full. Free some space, and try again.', folder);
    default:
      return undefined;
  }
}
