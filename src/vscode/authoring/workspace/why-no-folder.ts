import type { Translate } from '../../calls/notices/explain.ts';

/** Why none of the folders that are open can have tools of its own, which are read from disk. */
export function whyNoFolder(open: readonly unknown[] | undefined, t: Translate): string {
  return open?.length
    ? t('Tools are read from disk, and the open folder is virtual. Open a folder on disk.')
    : t('Tools are files in a folder. Open a folder first.');
}
