import * as vscode from 'vscode';
import { isCodicon, svgIcon } from './tool-icon.ts';

/** From this one on the editor draws codicons in the tabs of webviews. */
const DRAWS_CODICONS = 139;

/** What the tab of a run panel shows: the tool's own image, its codicon where the editor can draw it, else Parley's. */
export function tabIcon(
  extensionUri: vscode.Uri,
  icon: string | undefined,
): NonNullable<vscode.WebviewPanel['iconPath']> {
  const image = svgIcon(icon);
  if (image) return image;
  const [, minor] = vscode.version.split('.').map(Number);
  // The declarations are those of the oldest editor, which knows images only.
  if (icon !== undefined && isCodicon(icon) && (minor ?? 0) >= DRAWS_CODICONS)
    return new vscode.ThemeIcon(icon) as never;
  return {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'panel-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'panel-dark.svg'),
  };
}
