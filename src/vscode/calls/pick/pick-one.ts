import { type Operation, race, scoped } from 'effection';
import * as vscode from 'vscode';
import { nextOf, useDisposable } from '../../bridge.ts';
import { useShown } from './hold-keyboard.ts';

/** How a list of things to pick from is shown; as for `vscode.window.showQuickPick`. */
export type PickOneOptions = Pick<
  vscode.QuickPickOptions,
  'placeHolder' | 'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'
>;

/**
 * Lets the person pick one of these; nothing comes back on Escape. Unlike `vscode.window.showQuickPick` it keeps the keyboard where it
 * is opened from a run panel.
 */
export function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { placeHolder, ...options }: PickOneOptions,
): Operation<T | undefined> {
  return scoped(function* () {
    const pick = yield* useDisposable(() => vscode.window.createQuickPick<T>());
    Object.assign(pick, options);
    pick.placeholder = placeHolder;
    pick.items = items;
    const closed = yield* useShown(pick);
    return yield* race([accepted(pick), nothingAfter(closed)]);
  });
}

/** What the person takes of a list that is shown, once it is something that can be taken. */
export function* accepted<T extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<T>,
  fits: (item: T) => boolean = () => true,
): Operation<T | undefined> {
  yield* nextOf(pick.onDidAccept, () => pick.selectedItems.some(fits));
  return pick.selectedItems.find(fits);
}

/** Nothing, after something. */
export function* nothingAfter(after: Operation<void>): Operation<undefined> {
  yield* after;
  return undefined;
}
