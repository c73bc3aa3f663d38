import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { whyUnwritable } from './why-unwritable.ts';

/**
 * Writes for the person to a folder of theirs. Where that cannot be written to, they are told which it is and what to do, in the place of
 * the system's own words, and nothing comes back.
 */
export function* writeForPerson<T>(write: () => Operation<T>): Operation<T | undefined> {
  try {
    return yield* write();
  } catch (error) {
    const why = whyUnwritable(error, vscode.l10n.t);
    if (why === undefined) throw error;
    yield* fromThenable(vscode.window.showErrorMessage(why));
    return undefined;
  }
}
