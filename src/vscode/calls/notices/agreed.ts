import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';

/** Before something that cannot be taken back. */
interface Warning {
  readonly message: string;
  readonly detail: string;
  /** The button that goes ahead. */
  readonly button: string;
}

const open = new Set<string>();

/**
 * Whether the person wants it, asked in a dialog. Who presses twice, as with a double click on a row's button, is asked once: the editor
 * would show the second dialog after the first.
 */
export function* agreed({ message, detail, button }: Warning): Operation<boolean> {
  const question = `${message}\n${detail}`;
  if (open.has(question)) return false;
  open.add(question);
  try {
    const asked = vscode.window.showWarningMessage(message, { modal: true, detail }, button);
    return (yield* fromThenable(asked)) === button;
  } finally {
    open.delete(question);
  }
}
