import type { Translate } from '../calls/notices/explain.ts';

/** Why none of the folders that are open can have tools of its own, which are read from disk. */
export function whyNoFolder(open: readonly unknown[] | undefined, t: Translate): string {
  return open?.length
    ? t('Tools are read from disk, and the folder that is open is on none. Open one that is.')
    : t('Tools live in a folder of yours. Open one first.');
}
