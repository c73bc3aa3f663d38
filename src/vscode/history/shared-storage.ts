/** What the windows on one folder have together. */
export interface SharedStorage {
  readonly folder: string;
  /** Which of these windows this is. One that is loaded again has the same number, as long as it is away no longer than that. */
  readonly window: number;
}

/**
 * VS Code locks the storage of a folder for one window. A second window on that folder has another beside it, `ID-1/…` next to `ID/…`,
 * and a third `ID-2/…`. Which it gets depends on who else is there, so what is to be found again by whoever opens the folder belongs into
 * the first of them.
 *
 * @param storage of this window: `…/ID/extension`
 */
export function sharedStorage(storage: string): SharedStorage {
  // An id may begin with a dash: it is a signed number in a browser.
  const [, before, number, behind] = /^(.*[^\\/])-([1-9])([\\/][^\\/]+[\\/]?)$/s.exec(storage) ?? [];
  if (before === undefined || behind === undefined) return { folder: storage, window: 0 };
  return { folder: before + behind, window: Number(number) };
}
