import type { Operation } from 'effection';
import type * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';

/**
 * Saves a document, and says whether it is saved. `save` alone does not say that: where the editor has saved it by itself a moment before
 * (`files.autoSave`, which is on in a browser), there was nothing left to save, and it answers `false`.
 */
export function* saved(document: Pick<vscode.TextDocument, 'save' | 'isDirty'>): Operation<boolean> {
  return (yield* fromThenable(document.save())) || !document.isDirty;
}
