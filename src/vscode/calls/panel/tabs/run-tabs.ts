import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../../bridge.ts';
import { panelType } from '../../../ids.ts';
import { isTitled } from './tab-title.ts';

/** How long the editor may take to bring a tab, once it is on show, milliseconds. */
const PATIENCE = 3_000;

/** The same for one that was on show already: after a reload all else of the window comes at that time, too. */
const AFTER_RELOAD = 10_000;

const groups = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

/** All tabs of run panels, also those that the editor has not brought back yet. */
export function runTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelType)),
  );
}

/** Whether the person has something to read or write in front: a file, a diff, a notebook. */
export function isInEditor(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const { TabInputText, TabInputTextDiff, TabInputNotebook } = vscode;
  return [TabInputText, TabInputTextDiff, TabInputNotebook].some((kind) => input instanceof kind);
}

/** Whether the person has pinned a run panel with this title in a column. */
export function isPinned(title: string, column: number): boolean {
  return runTabs().some(
    ({ label, isPinned, group }) => isPinned && group.viewColumn === column && isTitled(label, title),
  );
}

/**
 * Brings the tab of a call back that the editor has not brought yet: it does when the tab is shown, and only then one knows whose it
 * is. False when there is none: then a new one is no second. `live` are those with that title that have windows.
 */
export function* bringTab(
  title: string,
  { live, isThere, came }: { live(): number; isThere(): boolean; came(): Operation<unknown> },
): Operation<boolean> {
  const candidates = () => runTabs().filter(({ label }) => isTitled(label, title));
  const notAllCame = () => !isThere() && candidates().length > live();
  // One that is on show is on its way: a window opened meanwhile would be a second tab until it is there.
  function* whatIsOnShow(): Operation<void> {
    while (notAllCame()) yield* came();
  }
  if (candidates().some(({ isActive }) => isActive)) yield* race([whatIsOnShow(), sleep(AFTER_RELOAD)]);
  for (const tab of candidates()) {
    if (!notAllCame()) return isThere();
    const { group } = tab;
    const name = groups[group.viewColumn - 1];
    if (tab.isActive || name === undefined) continue;
    yield* fromThenable(vscode.commands.executeCommand(`workbench.action.focus${name}EditorGroup`));
    const index = group.tabs.indexOf(tab);
    const brought = came();
    yield* fromThenable(vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index));
    yield* race([brought, sleep(PATIENCE)]);
  }
  return isThere();
}
