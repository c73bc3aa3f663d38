import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { TextEdit } from '../../../core/editor/editor-edits.ts';
import { fromThenable } from '../../bridge.ts';
import { fileInFolders } from './file-in-folders.ts';

/** A range of ours as VS Code's. */
export function rangeOf({ start, end }: TextEdit['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Opens a file of the editor's folders. @throws for any other one. */
export function* openFile(uri: string): Operation<vscode.TextDocument> {
  return yield* fromThenable(vscode.workspace.openTextDocument(yield* fileInFolders(uri)));
}

/** The text of a file as the editor has it, unsaved changes included. */
export function* readText(uri: string): Operation<string> {
  const document = yield* openFile(uri);
  return document.getText();
}

/**
 * Makes the edits as one step of Undo. When a file is not what `seen` says, nothing is done.
 *
 * Nothing can come between the comparison and the edit: both happen in one turn here, and the window refuses an edit whose
 * documents have changed on their way (VS Code sends their versions along).
 */
export function* applyEdits(
  label: string,
  edits: readonly TextEdit[],
  seen: ReadonlyMap<string, string> = new Map(),
): Operation<boolean> {
  const documents = new Map<string, vscode.TextDocument>();
  for (const uri of new Set([...edits.map((one) => one.uri), ...seen.keys()])) {
    documents.set(uri, yield* openFile(uri));
  }
  for (const [uri, text] of seen) {
    if (documents.get(uri)?.getText() !== text) return false;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, range, text } of edits) {
    const document = documents.get(uri);
    if (document) edit.replace(document.uri, rangeOf(range), text, { needsConfirmation: false, label });
  }
  return yield* fromThenable(vscode.workspace.applyEdit(edit));
}
