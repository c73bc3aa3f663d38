import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Settings by their full id, as in settings.json. */
export type Settings = Readonly<Record<string, unknown>>;

/** The user settings of a server. A running workbench takes a change up at once. */
export interface UserSettings {
  /** Merges; `undefined` takes a setting back. */
  update(change: Settings): Promise<void>;
  /** Puts back the settings that the server was started with. */
  reset(): Promise<void>;
}

/** Settings in this file, usable from any process on the machine. */
export function userSettings(file: string, initial: Settings): UserSettings {
  const write = async (settings: Settings): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings, null, 2));
  };
  return {
    update: async (change) => write({ ...JSON.parse(await readFile(file, 'utf8')), ...change }),
    reset: () => write(initial),
  };
}

/** Without these a fresh VS Code greets, hints and phones home. */
export const quiet: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};
