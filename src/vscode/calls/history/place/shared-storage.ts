import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';

/** What the windows on one folder have together. */
export interface SharedStorage {
  readonly folder: string;
  /** Which of these windows this is; nothing for a window without a folder. It may be another after the window was loaded again. */
  readonly window: number | undefined;
}

/**
 * VS Code locks the storage of a folder for one window. A second window on that folder has another beside it, `ID-1/…` next to `ID/…`,
 * and a third `ID-2/…`: always the first that is free. What must be found again when the folder is opened belongs into the first of them.
 */
export function sharedStorage({
  storageUri,
  globalStorageUri,
}: Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>): SharedStorage {
  if (!storageUri) return { folder: globalStorageUri.fsPath, window: undefined };
  const storage = storageUri.fsPath;
  // An id may begin with a dash: it is a signed number in a browser.
  const [, before, number, behind] = /^(.*[^\\/])-([1-9])([\\/][^\\/]+[\\/]?)$/s.exec(storage) ?? [];
  if (before === undefined || number === undefined || behind === undefined)
    return { folder: storage, window: 0 };
  return { folder: before + behind, window: Number(number) };
}

/**
 * Where the calls are that one key opens, by its name. Two browsers on one server have the storage of a folder together, and keys of their own: neither
 * is to find calls that it cannot read.
 */
export function callsFolder(storage: string, key: string): string {
  return join(storage, 'calls', key);
}

/** A name for a key that says nothing about it. */
export function keyName(key: Uint8Array): string {
  return createHash('sha256').update('parley calls').update(key).digest('hex').slice(0, 16);
}
