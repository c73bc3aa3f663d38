import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, useDisposable, useListener } from '../../bridge.ts';
import { inform } from '../../calls/notices/inform.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { AuthorKits } from '../workspace/author-kits.ts';
import { languages } from '../workspace/tool-languages.ts';
import { writeForPerson } from '../workspace/write-for-person.ts';

/** What TypeScript says when it finds no declarations of a module. */
const NO_MODULE = new Set([2307, 2875, 7016]);
const RESTART = 'typescript.restartTsServer';
const LENT = /'(parley-mcp|effection|zod|react)(\/[^']*)?'/;

/**
 * **Parley: Set Up TypeScript for Tools**: what New Tool… writes around a first tool, for one that was made by hand. A quick fix offers it
 * where TypeScript does not know what Parley lends, and so does a line above the code, for those who do not know of quick fixes.
 */
export function* useSetUpTypes(kits: AuthorKits): Operation<void> {
  yield* useCommand(commands.setUpTypes, function* (argument) {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const folder = folderOf(uri);
    if (!folder || !vscode.workspace.isTrusted) {
      return inform(vscode.l10n.t('Open a tool file in a trusted folder first.'));
    }
    const { writeParleyFolder } = yield* until(import('../../../workspace/scaffold/index.ts'));
    const written = yield* writeForPerson(function* () {
      yield* writeParleyFolder(vscode.Uri.joinPath(folder.uri, '.parley').fsPath);
      yield* kits.provide(folder);
      return true;
    });
    if (written) yield* restartTypeScript();
  });
  const selector = languages.map((language) => ({ language, scheme: 'file', pattern: '**/.parley/**' }));
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  yield* useDisposable(() =>
    vscode.languages.registerCodeActionsProvider(
      selector,
      { provideCodeActions: ({ uri }, _range, { diagnostics }) => fixesOf(uri, diagnostics) },
      { providedCodeActionKinds },
    ),
  );
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  yield* useDisposable(() =>
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: ({ uri }) =>
        fixesOf(uri, vscode.languages.getDiagnostics(uri)).map(
          ({ command }) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command),
        ),
    }),
  );
  yield* useListener(vscode.languages.onDidChangeDiagnostics, ({ uris }) => {
    if (uris.some(({ path }) => path.includes('/.parley/'))) changes.fire();
  });
}

/** TypeScript does not see a configuration that comes after the file was opened: reloading its projects is not enough. */
function* restartTypeScript(): Operation<void> {
  const known = yield* fromThenable(vscode.commands.getCommands(true));
  // Another language server may be in its place.
  if (known.includes(RESTART)) yield* fromThenable(vscode.commands.executeCommand(RESTART));
}

function fixesOf(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
  const missing = diagnostics.filter(
    ({ code, message }) => NO_MODULE.has(Number(code)) && LENT.test(message),
  );
  if (missing.length === 0 || !folderOf(uri)) return [];
  const title = vscode.l10n.t('Set up types for Parley tools');
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.command = { command: commands.setUpTypes, title, arguments: [uri] };
  fix.diagnostics = missing;
  fix.isPreferred = true;
  return [fix];
}

function folderOf(uri: vscode.Uri | undefined): vscode.WorkspaceFolder | undefined {
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return folder?.uri.scheme === 'file' ? folder : undefined;
}
