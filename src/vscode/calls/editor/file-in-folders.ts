import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { checkInside } from './inside.ts';

/**
 * The file behind a URI, when it is in one of the folders that are open: what the editor reads or changes for a tool is in
 * these, for every caller and whatever folders it says it has.
 *
 * @throws with the URI when it is not.
 */
export function* fileInFolders(text: string): Operation<vscode.Uri> {
  const uri = vscode.Uri.parse(text, true);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  yield* fromThenable(checkInside(text, uri, folders));
  return uri;
}
