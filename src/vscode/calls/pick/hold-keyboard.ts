import { type Operation, race, resource, scoped, sleep, spawn, withResolvers } from 'effection';
import type * as vscode from 'vscode';
import { useListener } from '../../bridge.ts';
import { usePanelKeyboard } from '../../contexts.ts';
import { runTabs } from '../panel/tabs/run-tabs.ts';

/** For how many milliseconds after it was shown a list takes the keyboard back from a run panel, and how often. */
const HOLD = 5_000;
const TIMES = 3;

/**
 * Shows a list; the operation that it gives returns when the list is closed.
 *
 * When the command palette closes, VS Code returns the keyboard to the run panel that had it by a message
 * (microsoft/vscode#75209), which may arrive after the list was shown; and a list that loses the keyboard closes. So one that is
 * opened beside a panel stays at first, and is shown anew when a page says that it has got the keyboard: nothing else puts that into
 * the list's input (`workbench.action.focusQuickOpen` puts it onto the rows, where letters are lost). Escape closes it at all times.
 */
export function useShown<T extends vscode.QuickPickItem>(
  list: vscode.QuickPick<T>,
): Operation<Operation<void>> {
  return resource(function* (provide) {
    const closed = withResolvers<void>();
    let anew = 0;
    yield* useListener(list.onDidHide, () => {
      if (anew > 0) anew--;
      else closed.resolve();
    });
    if (hasPanelOnShow()) {
      const stays = list.ignoreFocusOut;
      // Before it is shown: what is set afterwards reaches the window later than the list.
      list.ignoreFocusOut = true;
      const showAnew = () => {
        anew++;
        list.hide();
        // A list that is shown again is empty in the window, and nothing in it is ticked.
        const { selectedItems } = list;
        list.items = [...list.items];
        if (list.canSelectMany) list.selectedItems = selectedItems;
        list.show();
      };
      yield* spawn(function* () {
        yield* race([takeBack(showAnew), sleep(HOLD)]);
        list.ignoreFocusOut = stays;
      });
    }
    list.show();
    yield* provide(closed.operation);
  });
}

function takeBack(showAnew: () => void): Operation<void> {
  return scoped(function* () {
    const lost = yield* yield* usePanelKeyboard();
    for (let times = 0; times < TIMES; times++) {
      yield* lost.next();
      showAnew();
    }
  });
}

/** A page that was opened a moment ago takes the keyboard when it is there, though another column is in use by then. */
function hasPanelOnShow(): boolean {
  return runTabs().some(({ isActive }) => isActive);
}
