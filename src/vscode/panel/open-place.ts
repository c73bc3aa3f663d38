import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { OwnFrame } from '../../panel-port/index.ts';
import { fromThenable } from '../bridge.ts';

/** Shows a place of a file, in another column than that of the panel. */
export function* openPlace(
  { file, line, column }: OwnFrame['place'],
  panelColumn: number | undefined,
): Operation<void> {
  const position = new vscode.Position(line - 1, column - 1);
  const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== panelColumn);
  yield* fromThenable(
    vscode.window.showTextDocument(vscode.Uri.file(file), {
      viewColumn: other?.viewColumn ?? vscode.ViewColumn.Beside,
      selection: new vscode.Range(position, position),
    }),
  );
}
