import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { PickKind } from '../../../panel-port/index.ts';
import { fromThenable } from '../../bridge.ts';
import { placeText } from './place-text.ts';

/** Lets the person pick a file or a folder, or takes the lines that they have selected. As a path in the workspace where it is in it. */
export function* pickPath(what: PickKind): Operation<string | undefined> {
  if (what === 'place') return selectedPlace();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (yield* fromThenable(
      vscode.window.showOpenDialog({
        canSelectFiles: what === 'file',
        canSelectFolders: what === 'folder',
        openLabel: vscode.l10n.t('Choose'),
        ...(folder && { defaultUri: folder }),
      }),
    )) ?? [];
  return uri && vscode.workspace.asRelativePath(uri);
}

/** The lines selected in an editor that is in sight. The panel has the keyboard, so no editor is the active one. */
function selectedPlace(): string | undefined {
  const editors = vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme === 'file');
  const editor = editors.find(({ selection }) => !selection.isEmpty) ?? editors[0];
  if (!editor) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('Open the file beside the panel and select the lines first.'),
    );
    return undefined;
  }
  const { start, end } = editor.selection;
  // A selection of whole lines ends where the next line begins.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return placeText({
    path: vscode.workspace.asRelativePath(editor.document.uri),
    first: start.line + 1,
    last,
  });
}
