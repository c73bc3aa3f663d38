import * as vscode from 'vscode';
import type { SettingId, Settings } from './ids.ts';
import { readSetting } from './read-setting.ts';

/** The value of a setting of ours, in a folder where it may differ. */
export function setting<Id extends SettingId>(id: Id, folder?: vscode.WorkspaceFolder): Settings[Id] {
  return readSetting(id, vscode.workspace.getConfiguration(undefined, folder));
}
