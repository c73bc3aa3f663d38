import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from './bridge.ts';
import type { ContextKeyId, ContextKeys } from './ids.ts';

/** Says something to the `when` clauses of the manifest; returns when the editor has it. */
export function* setContextKey<Id extends ContextKeyId>(id: Id, value: ContextKeys[Id]): Operation<void> {
  yield* fromThenable(vscode.commands.executeCommand('setContext', id, value));
}
