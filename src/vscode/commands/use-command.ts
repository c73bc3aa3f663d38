import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type Edge, useDisposable } from '../bridge.ts';
import type { CommandId } from '../ids.ts';

/** Registers a command whose work is an operation. What it returns or throws goes to whoever executed the command. */
export function* useCommand(
  edge: Edge,
  id: CommandId,
  work: (...args: unknown[]) => Operation<unknown>,
): Operation<void> {
  yield* useDisposable(() =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => edge.promise(() => work(...args))),
  );
}
