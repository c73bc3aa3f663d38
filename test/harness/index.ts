// What a test or a script needs to run a real VS Code; see README.md.
export { answerable } from './answerable.ts';
export { accessibilityProblems, atRest } from './axe.ts';
export { type Bridge, bridgeExtension, connectBridge, knownBridges } from './bridge.ts';
export { launchBrowser } from './browser.ts';
export { takeMenuItem } from './menu.ts';
export * from './notifications.ts';
export * from './paths.ts';
export * from './quick-input.ts';
export { screenshot } from './screenshot.ts';
export { shownIn } from './shown.ts';
export { switchTheme, type ThemeKind } from './theme.ts';
export type { Settings } from './user-settings.ts';
export { newest, oldest } from './versions.ts';
export {
  resetSettings,
  type ServerAddress,
  type ServerOptions,
  startVsCodeServer,
  type VsCodeServer,
} from './vscode-server.ts';
export { webviewFrame } from './webview-frame.ts';
export { within } from './within.ts';
export { openWorkbench, type Workbench } from './workbench.ts';
