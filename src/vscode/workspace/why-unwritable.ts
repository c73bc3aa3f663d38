import { dirname } from 'node:path';
import type { Translate } from '../calls/notices/explain.ts';

/** Why a folder cannot be written to, and what to do; nothing for an error of another kind. */
export function whyUnwritable(error: unknown, t: Translate): string | undefined {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return undefined;
  const { path } = error;
  if (error.name === 'LinkedPathError')
    return t(
      '“{0}” is a link, or no folder, so nothing is written there. Remove it, or make it a folder.',
      path,
    );
  const folder = dirname(path);
  switch ('code' in error && error.code) {
    case 'EACCES':
    case 'EPERM':
      return t('You may not write to “{0}”. Give yourself the right to, or open another folder.', folder);
    case 'EROFS':
      return t('“{0}” is on a disk that is read-only. Open a copy of it that can be written to.', folder);
    case 'ENOSPC':
    case 'EDQUOT':
      return t('There is no space left in “{0}”. Make room, and try again.', folder);
    default:
      return undefined;
  }
}
