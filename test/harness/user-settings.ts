/** Settings by their full id, as in settings.json. */
export type Settings = Readonly<Record<string, unknown>>;

/** Without these a fresh VS Code greets, hints and phones home. */
export const quiet: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // The chat would take the focus, and no notification covers what has the focus.
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  // The ports of whatever else runs here are none of this window's business: they are not looked for among all processes, either.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  // What takes long on a slow machine is no news; the test of such notices turns them on.
  'parley.notifyAfter': 0,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};
