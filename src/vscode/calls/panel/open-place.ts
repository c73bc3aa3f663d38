import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import type { OwnFrame } from '../../../panel-port/index.ts';
import { fromThenable } from '../../bridge.ts';
import { checkInside } from '../editor/inside.ts';
import { parsePlace } from './place-text.ts';

/** Shows a place of a file, in another column than that of the panel. */
export function* openPlace(
  { file, line, column }: OwnFrame['place'],
  panelColumn: number | undefined,
): Operation<void> {
  const position = new vscode.Position(line - 1, column - 1);
  yield* showBeside(vscode.Uri.file(file), new vscode.Range(position, position), panelColumn);
}

/**
 * Shows the lines that a text such as `src/a.ts:10-14` names. It may be a model's or a page's: only files in the folders of the window
 * are shown, and the person is told of any other.
 */
export function* openNamedPlace(text: string, panelColumn: number | undefined): Operation<void> {
  const place = parsePlace(text);
  const uri = place && (yield* fileNamed(place.path));
  if (!uri) {
    vscode.window.showWarningMessage(vscode.l10n.t('“{0}” was not found in this workspace.', text));
    return;
  }
  const lines = new vscode.Range(place.first - 1, 0, place.last - 1, Number.MAX_SAFE_INTEGER);
  yield* showBeside(uri, lines, panelColumn);
}

/** The file with this path in a folder of the window; with several folders, paths begin with the name of one. */
function* fileNamed(path: string): Operation<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  for (const { name, uri: folder } of folders) {
    const within = folders.length > 1 && path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path;
    const uri = vscode.Uri.joinPath(folder, within);
    try {
      yield* until(checkInside(path, uri, [folder]));
      const { type } = yield* fromThenable(vscode.workspace.fs.stat(uri));
      if ((type & vscode.FileType.File) !== 0) return uri;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function* showBeside(
  uri: vscode.Uri,
  selection: vscode.Range,
  panelColumn: number | undefined,
): Operation<void> {
  const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== panelColumn);
  yield* fromThenable(
    vscode.window.showTextDocument(uri, {
      viewColumn: other?.viewColumn ?? vscode.ViewColumn.Beside,
      selection,
    }),
  );
}
