import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { isName } from '../../core/tool/tool-checks.ts';
import type { Template } from '../../workspace/scaffold/index.ts';
import { fromThenable } from '../bridge.ts';
import { useLog } from '../contexts.ts';
import { commands } from '../ids.ts';
import type { AuthorKits } from '../workspace/author-kits.ts';
import type { ToolPort } from '../workspace/tool-port.ts';
import { pickOne } from './pick-one.ts';
import { pickTemplate } from './pick-template.ts';
import { useCommand } from './use-command.ts';

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
  const scaffold = yield* until(import('../../workspace/scaffold/index.ts'));
  try {
    const { file, select } = yield* scaffold.createNewTool(folder.uri.fsPath, name, template);
    tools.wrote(file);
    // Before the file is opened, so that the editor finds the declarations at once. Without them it opens all the same.
    try {
      yield* kits.provide(folder);
    } catch (error) {
      (yield* useLog()).error('the declarations for authors of tools could not be written', error);
    }
    const document = yield* fromThenable(vscode.workspace.openTextDocument(file));
    const selection = new vscode.Range(document.positionAt(select.from), document.positionAt(select.to));
    yield* fromThenable(vscode.window.showTextDocument(document, { selection, preview: false }));
    return document.uri;
  } catch (error) {
    if (!(error instanceof scaffold.ToolFileExistsError)) throw error;
    const open = vscode.l10n.t('Open File');
    const path = vscode.workspace.asRelativePath(error.file);
    const message = vscode.l10n.t('{0} exists already. Choose another name.', path);
    const pressed = yield* fromThenable(vscode.window.showErrorMessage(message, open));
    if (pressed === open) yield* fromThenable(vscode.window.showTextDocument(vscode.Uri.file(error.file)));
    return undefined;
  }
}

/** The folder, asked for only when there are several. Says what to do when there is none. */
function* folderForTools(): Operation<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!vscode.workspace.isTrusted) {
    const manage = vscode.l10n.t('Manage Workspace Trust');
    yield* offer(
      vscode.l10n.t('Tools run code, so they can be made only in a workspace that you trust.'),
      manage,
      'workbench.trust.manage',
    );
    return undefined;
  }
  if (folders.length === 0) {
    const open = vscode.l10n.t('Open Folder…');
    yield* offer(
      vscode.l10n.t('Tools live in a folder of yours. Open one first.'),
      open,
      'vscode.openFolder',
    );
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
  const placeHolder = vscode.l10n.t('Pick the folder that the tool is for');
  return (yield* pickOne(items, { placeHolder }))?.folder;
}

function* offer(message: string, button: string, command: string): Operation<void> {
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, button));
  if (pressed === button) yield* fromThenable(vscode.commands.executeCommand(command));
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
      prompt: vscode.l10n.t('The name that models and clients call it by'),
      placeHolder: 'count_words',
      ignoreFocusOut: true,
      validateInput: (value) => {
        if (value === '') return again ? vscode.l10n.t('A tool needs a name.') : undefined;
        if (!isName(value)) {
          return vscode.l10n.t('A name has 1 to 64 letters (a-z, A-Z), digits, “_” and “-”.');
        }
        return registry.get(value) ? vscode.l10n.t('There is a tool of this name already.') : undefined;
      },
    }),
  );
}
