import * as vscode from 'vscode';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { parametersAt } from './place.ts';

/** What a tool that mends begins with: the file that is open, where the editor shows problems in it. */
export function openFile(tool: AnyTool): JsonObject | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!tool.def.editor.mends || uri?.scheme !== 'file') return undefined;
  if (vscode.languages.getDiagnostics(uri).length === 0) return undefined;
  return parametersAt(tool, { selection: '', files: [vscode.workspace.asRelativePath(uri)], folders: [] });
}
