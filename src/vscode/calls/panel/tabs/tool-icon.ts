import * as vscode from 'vscode';
import type { AnyTool } from '../../../../core/tool/tool.ts';

/** A tool's icon for lists: a codicon, or its own SVG as an image. */
export function toolIcon(tool: AnyTool): vscode.ThemeIcon | vscode.Uri {
  const { icon } = tool.def;
  return svgIcon(icon) ?? new vscode.ThemeIcon(icon !== undefined && isCodicon(icon) ? icon : 'tools');
}

/** An icon that is an SVG as an image. */
export function svgIcon(icon: string | undefined): vscode.Uri | undefined {
  if (!icon?.trimStart().startsWith('<svg')) return undefined;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`, true);
}

/** Whether an icon may be the name of a codicon. */
export function isCodicon(icon: string): boolean {
  return /^[a-z0-9-]+$/.test(icon);
}
