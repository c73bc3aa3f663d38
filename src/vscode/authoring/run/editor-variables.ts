import { basename, dirname, extname } from 'node:path';
import * as vscode from 'vscode';
import type { EditorVariables, Unset } from './variables.ts';

/** What the variables stand for in the editor that the person is in. */
export function editorVariables(): EditorVariables {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri;
  const file = uri && uri.scheme !== 'untitled' ? uri.fsPath : undefined;
  const own = uri && vscode.workspace.getWorkspaceFolder(uri);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  const relative = (path: string | undefined) =>
    path === undefined ? undefined : vscode.workspace.asRelativePath(path, false);
  const selected = editor?.document.getText(editor.selection) || undefined;
  const directory = file && dirname(file);
  return {
    selection: selected,
    selectedText: selected,
    file,
    relativeFile: relative(file),
    fileBasename: file && basename(file),
    fileBasenameNoExtension: file && basename(file, extname(file)),
    fileExtname: file && extname(file),
    fileDirname: directory,
    relativeFileDirname: directory === own?.uri.fsPath && own ? '.' : relative(directory),
    fileWorkspaceFolder: own?.uri.fsPath,
    workspaceFolder: folder?.uri.fsPath,
    workspaceFolderBasename: folder?.name,
    lineNumber: editor && String(editor.selection.active.line + 1),
    columnNumber: editor && String(editor.selection.active.character + 1),
  };
}

/** Says to the person what is not there. */
export const sayUnset: Unset = (name) => {
  const variable = `\${${name}}`;
  if (name === 'selection' || name === 'selectedText') {
    return new Error(vscode.l10n.t('{0} has no value. Select text first.', variable));
  }
  if (name.startsWith('workspaceFolder') || name === 'fileWorkspaceFolder') {
    return new Error(vscode.l10n.t('{0} has no value. Open a folder first.', variable));
  }
  return new Error(vscode.l10n.t('{0} has no value. Open a file first.', variable));
};
