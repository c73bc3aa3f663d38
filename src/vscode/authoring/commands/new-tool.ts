import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { isName } from '../../../core/tool/tool-checks.ts';
import type { Template } from '../../../workspace/scaffold/index.ts';
import { fromThenable } from '../../bridge.ts';
import { pickTemplate } from '../../calls/pick/pick-template.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { AuthorKits } from '../workspace/author-kits.ts';
import { folderForTools, openNewTool } from '../workspace/new-tools.ts';

/**
 * **Parley: New Tool…**: a name, a template, and in a workspace of several folders the folder. Writes the tool and its test
 * and opens the tool with its description selected. Nothing that is there is overwritten. Returns the file.
 */
export function* useNewToolCommand(tools: ToolPort, kits: AuthorKits): Operation<void> {
  yield* useCommand(commands.newTool, function* () {
    const folder = yield* folderForTools();
    const name = folder && (yield* askName(tools));
    const template = name && (yield* pickTemplate());
    if (!folder || !name || !template) return undefined;
    return yield* create(tools, kits, folder, name, template);
  });
}

function* create(
  tools: ToolPort,
  kits: AuthorKits,
  folder: vscode.WorkspaceFolder,
  name: string,
  template: Template,
): Operation<vscode.Uri | undefined> {
  const scaffold = yield* until(import('../../../workspace/scaffold/index.ts'));
  return yield* openNewTool(tools, kits, folder, () =>
    scaffold.createNewTool(folder.uri.fsPath, name, template),
  );
}

/** Nothing comes back on Escape; Enter without a name asks again, and says what is missing. */
function* askName(tools: ToolPort): Operation<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const name = yield* askNameOnce(tools, attempt > 1);
    if (name !== '') return name;
  }
}

function* askNameOnce({ registry }: ToolPort, again: boolean): Operation<string | undefined> {
  return yield* fromThenable(
    vscode.window.showInputBox({
      title: vscode.l10n.t('New Tool'),
      prompt: vscode.l10n.t('Tool name (used by models and clients), for example plan_weekend'),
      placeHolder: 'count_words',
      ignoreFocusOut: true,
      validateInput: (value) => {
        if (value === '') return again ? vscode.l10n.t('Enter a name for the tool.') : undefined;
        if (!isName(value)) {
          return vscode.l10n.t('Use 1 to 64 letters (a-z, A-Z), digits, _ or -.');
        }
        return registry.get(value) ? vscode.l10n.t('A tool with this name already exists.') : undefined;
      },
    }),
  );
}
