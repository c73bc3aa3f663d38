import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import type { RunTarget } from './place.ts';

/** What `parley.runToolOn` was called with. */
export interface RunOnArguments {
  readonly tool: string | undefined;
  readonly uris: readonly vscode.Uri[];
  /** Text in the place of what is selected. */
  readonly text: string | undefined;
}

/**
 * Reads the arguments of `parley.runToolOn`: those of a menu (what was clicked, all that is selected), or
 * `{ tool?, uri?, text? }` of a keybinding or a quick fix.
 */
export function readRunOnArguments([first, second]: readonly unknown[]): RunOnArguments {
  if (first instanceof vscode.Uri) {
    const all = Array.isArray(second) ? second.filter((one) => one instanceof vscode.Uri) : [];
    return { tool: undefined, uris: all.length > 0 ? all : [first], text: undefined };
  }
  const { tool, uri, text } = Object(first) as Record<string, unknown>;
  return {
    tool: typeof tool === 'string' ? tool : undefined,
    uris: uri instanceof vscode.Uri ? [uri] : [],
    text: typeof text === 'string' ? text : undefined,
  };
}

/** What a tool is to be run on: what the command was given, else what the editor shows. */
export function* placeOf({ uris, text }: RunOnArguments): Operation<RunTarget> {
  const editor = vscode.window.activeTextEditor;
  const shown = editor?.document.uri;
  const meant = uris.length > 0 ? uris : shown ? [shown] : [];
  const isShown = meant.length === 1 && meant[0]?.toString() === shown?.toString();
  const place = {
    selection: text ?? (editor && isShown ? editor.document.getText(editor.selection) : ''),
    files: [] as string[],
    folders: [] as string[],
  };
  for (const uri of meant) {
    if (uri.scheme !== 'file') continue;
    const { type } = yield* fromThenable(vscode.workspace.fs.stat(uri));
    const paths = (type & vscode.FileType.Directory) === 0 ? place.files : place.folders;
    paths.push(vscode.workspace.asRelativePath(uri));
  }
  return place;
}
