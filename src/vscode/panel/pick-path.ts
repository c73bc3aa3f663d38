import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';

/** Lets the person pick a file or a folder: as a path in the workspace where it is in it, else as it is. */
export function* pickPath(what: 'file' | 'folder'): Operation<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (yield* fromThenable(
      vscode.window.showOpenDialog({
        canSelectFiles: what === 'file',
        canSelectFolders: what === 'folder',
        openLabel: vscode.l10n.t('Pick'),
        ...(folder && { defaultUri: folder }),
      }),
    )) ?? [];
  return uri && vscode.workspace.asRelativePath(uri);
}
