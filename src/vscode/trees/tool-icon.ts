import * as vscode from 'vscode';
import type { AnyTool } from '../../core/tool/tool.ts';

/** A tool's icon for lists: a codicon, or its own SVG as an image. */
export function toolIcon(tool: AnyTool): vscode.ThemeIcon | vscode.Uri {
  const { icon } = tool.def;
  if (icon?.trimStart().startsWith('<svg')) {
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`, true);
  }
  return new vscode.ThemeIcon(icon !== undefined && /^[a-z0-9-]+$/.test(icon) ? icon : 'tools');
}
