import { type Operation, race, scoped } from 'effection';
import * as vscode from 'vscode';
import { nextOf, useDisposable } from '../../bridge.ts';
import { useShown } from './hold-keyboard.ts';
import { nothingAfter, type PickOneOptions } from './pick-one.ts';

/** Lets the person tick some of these, with those ticked at first that say `picked`; nothing comes back on Escape. As `pickOne`. */
export function pickSome<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { placeHolder, ...options }: PickOneOptions,
): Operation<readonly T[] | undefined> {
  return scoped(function* () {
    const pick = yield* useDisposable(() => vscode.window.createQuickPick<T>());
    Object.assign(pick, options);
    pick.canSelectMany = true;
    pick.placeholder = placeHolder;
    pick.items = items;
    pick.selectedItems = items.filter(({ picked }) => picked);
    const closed = yield* useShown(pick);
    return yield* race([ticked(pick), nothingAfter(closed)]);
  });
}

function* ticked<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>): Operation<readonly T[]> {
  yield* nextOf(pick.onDidAccept, () => true);
  return pick.selectedItems;
}
