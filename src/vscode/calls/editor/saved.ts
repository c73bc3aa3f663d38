import { type Operation, race, scoped, sleep, spawn } from 'effection';
import type * as vscode from 'vscode';
import { fromThenable, nextOf } from '../../bridge.ts';

/** Longer than the editor waits for those that it asks before it saves, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Saves a document, and says whether it is saved. `save` alone does not say that, where the editor saves by itself (`files.autoSave`, which is
 * on in a browser): a moment after that there is nothing left to save, and a moment before that, while others are asked what they would
 * change, the editor does not save a second time. It answers `false` at once to both.
 */
export function saved<T extends Pick<vscode.TextDocument, 'save' | 'isDirty'>>(
  document: T,
  onDidSave: vscode.Event<Pick<vscode.TextDocument, 'save' | 'isDirty'>>,
): Operation<boolean> {
  return scoped(function* () {
    const byItself = yield* spawn(() => nextOf(onDidSave, (one) => one === document));
    if (yield* fromThenable(document.save())) return true;
    if (document.isDirty) yield* race([byItself, sleep(PATIENCE)]);
    return !document.isDirty;
  });
}
