import { randomBytes } from 'node:crypto';
import { ensure, type Operation, resource, spawn } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { ToPage } from '../../../panel-port/index.ts';
import { useListener } from '../../bridge.ts';
import { panelType } from '../../ids.ts';
import { pageHtml } from './page-html.ts';
import { isCodicon, svgIcon } from './tabs/tool-icon.ts';
import { watchPage } from './watch-page.ts';

/** Where the page's bundle is, below the extension's folder. */
const pageFolder = ['dist', 'webview'];

/** The first asks for the snapshot while the page itself is still being loaded. */
const pageScripts = ['boot.js', 'main.js'];

/** In the active column, beside it, or in some column. */
export type WindowColumn = 'front' | 'beside' | number;

/** What a window is made with. */
export interface WindowOptions {
  readonly extensionUri: vscode.Uri;
  /** Folders of view bundles beside the page's own. */
  readonly viewRoots: readonly vscode.Uri[];
  readonly title: string;
  /** The tool's icon. */
  readonly icon: string | undefined;
  readonly place: WindowColumn;
  /** Whether it takes the keyboard: the person asked for it. */
  readonly keyboard: boolean;
  /** One that the editor has brought back; a new one is opened without. */
  readonly revived?: vscode.WebviewPanel | undefined;
  /** Whether the window of the editor closes: it keeps its panels for the next. */
  stays(): boolean;
  /** What the page of an earlier window of this panel kept. */
  readonly memory: JsonObject | undefined;
  onMessage(data: unknown): void;
  onVisible(visible: boolean): void;
  /** The person closed it. */
  onClosed(): void;
}

/** An open run panel: VS Code's webview panel, as far as Parley uses it. */
export interface RunWindow {
  readonly visible: boolean;
  /** Its tab is the active one of the whole window. */
  readonly active: boolean;
  readonly column: number | undefined;
  post(message: ToPage): void;
  /** The URI under which the page may load a file of one of its roots. */
  uriOf(path: string): string;
  /** Brings it to the front; the person asked for it. */
  reveal(): void;
  setTitle(title: string): void;
}

/** A resource: opens a run panel, and closes it when its owner ends. */
export function useRunWindow(options: WindowOptions): Operation<RunWindow> {
  return resource(function* (provide) {
    const { extensionUri } = options;
    const root = vscode.Uri.joinPath(extensionUri, ...pageFolder);
    const allowed = { enableScripts: true, localResourceRoots: [root, ...options.viewRoots] };
    const panel =
      options.revived ??
      vscode.window.createWebviewPanel(
        panelType,
        options.title,
        { viewColumn: columnOf(options.place), preserveFocus: !options.keyboard },
        { enableFindWidget: true, ...allowed },
      );
    yield* ensure(() => {
      if (!options.stays()) panel.dispose();
    });
    // Where the bundles of views are may have changed since.
    if (options.revived) panel.webview.options = allowed;
    panel.iconPath = tabIcon(extensionUri, options.icon);
    const { webview } = panel;
    yield* useListener(webview.onDidReceiveMessage, options.onMessage);
    yield* useListener(panel.onDidChangeViewState, () => options.onVisible(panel.visible));
    // VS Code throws when a panel that has gone is read.
    let gone = false;
    yield* useListener(panel.onDidDispose, () => {
      gone = true;
      options.onClosed();
    });
    const uriOf = (uri: vscode.Uri) => webview.asWebviewUri(uri).toString();
    const load = () => {
      webview.html = pageHtml({
        nonce: randomBytes(16).toString('base64url'),
        cspSource: webview.cspSource,
        scripts: pageScripts.map((script) => uriOf(vscode.Uri.joinPath(root, script))),
        style: uriOf(vscode.Uri.joinPath(root, 'main.css')),
        language: vscode.env.language,
        texts: vscode.l10n.bundle,
        memory: options.memory,
      });
    };
    load();
    yield* spawn(() =>
      watchPage({
        get visible() {
          return !gone && panel.visible;
        },
        onMessage: webview.onDidReceiveMessage,
        onVisible: panel.onDidChangeViewState,
        load,
      }),
    );
    yield* provide({
      get visible() {
        return !gone && panel.visible;
      },
      get active() {
        return !gone && panel.active;
      },
      get column() {
        return gone ? undefined : panel.viewColumn;
      },
      post: (message) => {
        if (!gone) void webview.postMessage(message);
      },
      uriOf: (path) => uriOf(vscode.Uri.file(path)),
      reveal: () => {
        if (!gone) panel.reveal(undefined, false);
      },
      setTitle: (title) => {
        if (!gone && panel.title !== title) panel.title = title;
      },
    });
  });
}

function columnOf(place: WindowColumn): vscode.ViewColumn {
  if (place === 'front') return vscode.ViewColumn.Active;
  return place === 'beside' ? vscode.ViewColumn.Beside : place;
}

/** From this one on the editor draws codicons in the tabs of webviews. */
const DRAWS_CODICONS = 139;

/** What the tab of a run panel shows: the tool's own image, its codicon where the editor can draw it, else Parley's. */
function tabIcon(
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
