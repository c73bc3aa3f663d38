import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { acceptsOf } from '../../../core/tool/tool-checks.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { useDisposable } from '../../bridge.ts';
import { titleOf } from '../../calls/call-entry.ts';
import { commands } from '../../ids.ts';

/** Quick fixes: where the editor shows a problem, each tool that says that it mends is offered. */
export function* useMendingActions(registry: ToolRegistry): Operation<void> {
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  yield* useDisposable(() =>
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file' },
      {
        provideCodeActions: (document, _range, { diagnostics }) =>
          diagnostics.length === 0
            ? []
            : registry
                .list()
                .filter(({ tool }) => tool.def.editor.mends)
                .map((registered) => actionOf(registered, document, diagnostics)),
      },
      { providedCodeActionKinds },
    ),
  );
}

function actionOf(
  { name, tool }: RegisteredTool,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const title = vscode.l10n.t('Fix with {0} (Parley)', titleOf(tool));
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const text = acceptsOf(tool.def.editor).includes('selection') ? linesOf(document, diagnostics) : undefined;
  const on = { tool: name, uri: document.uri, ...(text === undefined ? {} : { text }) };
  action.command = { command: commands.runToolOn, title, arguments: [on] };
  action.diagnostics = [...diagnostics];
  return action;
}

/** The lines with the problems, whole: half of one says little. */
function linesOf(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): string {
  const range = diagnostics.map((one) => one.range).reduce((all, one) => all.union(one));
  return document.getText(
    range.with(range.start.with({ character: 0 }), document.lineAt(range.end).range.end),
  );
}
