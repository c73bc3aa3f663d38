import * as vscode from 'vscode';
import type { Root } from '../../../core/tool/context.ts';

/** The folders of the window, as MCP's roots. */
export function workspaceRoots(): Root[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
}
