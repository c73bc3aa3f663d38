import { type Operation, sleep, suspend } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';

/** How long after it was opened a list may lose the keyboard to a panel, in steps of so many milliseconds. */
const STEPS = [100, 200, 300, 400];

/**
 * Whether a list that opens now may lose the keyboard to a panel, and must not close then. When the command palette closes,
 * VS Code returns the keyboard to the panel by a message (microsoft/vscode#75209); on a busy machine that arrives after the
 * list has opened, and a list that loses the keyboard closes.
 */
export function isOpenedFromPanel(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
}

/** Gives the list that is open the keyboard back, should a panel take it. Goes on until it is halted. */
export function* holdKeyboard(): Operation<undefined> {
  for (const step of STEPS) {
    yield* sleep(step);
    yield* fromThenable(vscode.commands.executeCommand('workbench.action.focusQuickOpen'));
  }
  yield* suspend();
  return undefined;
}
