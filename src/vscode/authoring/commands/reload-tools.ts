import { all, type Operation } from 'effection';
import * as vscode from 'vscode';
import { inform } from '../../calls/notices/inform.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { whyNoFolder } from '../workspace/why-no-folder.ts';

/**
 * **Parley: Reload Tools** loads the tools of all folders again, also those that wait since git has changed them, and says
 * how many there are.
 */
export function* useReloadToolsCommand(tools: ToolPort): Operation<void> {
  yield* useCommand(commands.reloadTools, function* () {
    const folders = [...tools.folders.values()];
    if (folders.length === 0) sayWhyNone();
    const reports = yield* all(folders.map((folder) => folder.reload({ release: 'all' })));
    const count = reports.reduce((sum, report) => sum + report.tools, 0);
    const errors = reports
      .flatMap(({ problems }) => problems)
      .filter(({ severity }) => severity === 'error').length;
    if (folders.length > 0) vscode.window.setStatusBarMessage(summary(count, errors), 5000);
    return { tools: count, errors };
  });
}

function sayWhyNone(): void {
  if (!vscode.workspace.isTrusted) {
    inform(vscode.l10n.t('The tools of this workspace run code. Trust the workspace to use them.'));
  } else if (!vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file')) {
    inform(whyNoFolder(vscode.workspace.workspaceFolders, vscode.l10n.t));
  }
}

function summary(tools: number, errors: number): string {
  const loaded =
    tools === 1
      ? vscode.l10n.t('1 tool of this workspace loaded')
      : vscode.l10n.t('{0} tools of this workspace loaded', tools);
  if (errors === 0) return loaded;
  return errors === 1
    ? vscode.l10n.t('{0}, 1 error', loaded)
    : vscode.l10n.t('{0}, {1} errors', loaded, errors);
}
