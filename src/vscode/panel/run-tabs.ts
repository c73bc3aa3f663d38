import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import { panelType } from '../ids.ts';

/** A tab of a run panel, and the title of its call. */
export interface RunTab {
  readonly tab: vscode.Tab;
  readonly title: string;
}

/** Stands before the title of a call that waits. */
const MARK = '● ';

/** How long the editor may take to bring a tab, once it is on show, milliseconds. */
const PATIENCE = 3_000;

const groups = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

/** All tabs of run panels, also those that the editor has not brought back yet. */
export function runTabs(): readonly RunTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap((tab) => {
      const isOurs = tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(panelType);
      const title = tab.label.startsWith(MARK) ? tab.label.slice(MARK.length) : tab.label;
      return isOurs ? [{ tab, title }] : [];
    }),
  );
}

/** The title of a tab: one that is behind another says that it waits. */
export function tabTitle(title: string, waits: boolean): string {
  return waits ? `${MARK}${title}` : title;
}

/**
 * Brings the tab of a call back that the editor has not brought yet: it does when the tab is shown, and only then one knows whose it
 * is. False when there is none: then a new one is no second. `live` are those with that title that have windows.
 */
export function* bringTab(
  title: string,
  { live, isThere, came }: { live(): number; isThere(): boolean; came(): Operation<unknown> },
): Operation<boolean> {
  const candidates = () => runTabs().filter((one) => one.title === title);
  for (const { tab } of candidates()) {
    if (isThere()) return true;
    if (candidates().length <= live()) return false;
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
