/** The views of a workspace folder as one ES module that exports `views`, on disk. */
export interface ViewBundle {
  /** The build hash in the keys of the bundle's views. */
  readonly hash: string;
  /** Absolute path. */
  readonly script: string;
  readonly style: string | undefined;
}

/** The build hash in a view's key. */
export function hashOfKey(key: string): string {
  return key.slice(key.lastIndexOf('@') + 1);
}
