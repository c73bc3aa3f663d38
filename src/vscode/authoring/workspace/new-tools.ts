import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import type { NewTool } from '../../../workspace/scaffold/index.ts';
import { fromThenable } from '../../bridge.ts';
import { pickOne } from '../../calls/pick/pick-one.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useLog } from '../../contexts.ts';
import type { AuthorKits } from './author-kits.ts';
import { whyNoFolder } from './why-no-folder.ts';
import { writeForPerson } from './write-for-person.ts';

/** Opens a tool that `write` makes in a folder, with what its author needs around it. Says so where its file is there already, or the folder cannot be written to. */
export function* openNewTool(
  tools: ToolPort,
  kits: AuthorKits,
  folder: vscode.WorkspaceFolder,
  write: () => Operation<NewTool>,
): Operation<vscode.Uri | undefined> {
  const scaffold = yield* until(import('../../../workspace/scaffold/index.ts'));
  try {
    const written = yield* writeForPerson(write);
    if (written === undefined) return undefined;
    const { file, select } = written;
    written.written.forEach(tools.wrote);
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
    const message = vscode.l10n.t('{0} already exists. Nothing was written.', path);
    const pressed = yield* fromThenable(vscode.window.showErrorMessage(message, open));
    if (pressed === open) yield* fromThenable(vscode.window.showTextDocument(vscode.Uri.file(error.file)));
    return undefined;
  }
}

/** The folder, asked for only when there are several. Says what to do when there is none. */
export function* folderForTools(): Operation<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!vscode.workspace.isTrusted) {
    const manage = vscode.l10n.t('Manage Workspace Trust');
    yield* offer(
      vscode.l10n.t('Tools run code. Trust the workspace to create one.'),
      manage,
      'workbench.trust.manage',
    );
    return undefined;
  }
  if (folders.length === 0) {
    const open = vscode.l10n.t('Open Folder…');
    const why = whyNoFolder(vscode.workspace.workspaceFolders, vscode.l10n.t);
    yield* offer(why, open, 'vscode.openFolder');
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
  const placeHolder = vscode.l10n.t('Choose a folder for the tool');
  return (yield* pickOne(items, { placeHolder }))?.folder;
}

function* offer(message: string, button: string, command: string): Operation<void> {
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, button));
  if (pressed === button) yield* fromThenable(vscode.commands.executeCommand(command));
}
