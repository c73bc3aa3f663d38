import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { OwnFrame } from '../../panel-port/index.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import { type Edge, fromThenable } from '../bridge.ts';
import type { Log } from '../log/log.ts';
import type { PanelHost } from './call-panel.ts';

/** What the panels' host is made of. */
export interface PanelHostParts {
  readonly edge: Edge;
  readonly log: Log;
  readonly context: vscode.ExtensionContext;
  readonly registry: ToolRegistry;
  readonly viewsDir: string;
}

/** What all run panels share of this window. */
export function createPanelHost({ edge, log, context, registry, viewsDir }: PanelHostParts): PanelHost {
  return {
    edge,
    log,
    extensionUri: context.extensionUri,
    views: { roots: () => [vscode.Uri.file(viewsDir)], find: (key) => registry.viewBundle(key) },
    open: (place, panelColumn) => void edge.fork('opening a file', () => openPlace(place, panelColumn)),
    copy: (text) => void edge.fork('copying', () => fromThenable(vscode.env.clipboard.writeText(text))),
  };
}

function* openPlace(
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
