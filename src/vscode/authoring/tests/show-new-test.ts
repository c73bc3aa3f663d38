import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { commands } from '../../ids.ts';

/** Opens a test that was just written, with its types set up where nothing of what it imports is found. */
export function* showNewTest(path: string): Operation<void> {
  const uri = vscode.Uri.file(path);
  const { findsLibrary } = yield* until(import('../../../workspace/scaffold/index.ts'));
  if (!findsLibrary(path)) yield* fromThenable(vscode.commands.executeCommand(commands.setUpTypes, uri));
  const document = yield* fromThenable(vscode.workspace.openTextDocument(uri));
  yield* fromThenable(vscode.window.showTextDocument(document));
}
