import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { parametersAt } from './place.ts';

/** What a tool that mends begins with: the file that is open, where the editor shows problems in it. */
export function openFileFor(tool: AnyTool): JsonObject | undefined {
  if (!tool.def.editor.mends) return undefined;
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file' || vscode.languages.getDiagnostics(uri).length === 0) return undefined;
  return parametersAt(tool, { selection: '', files: [vscode.workspace.asRelativePath(uri)], folders: [] });
}
