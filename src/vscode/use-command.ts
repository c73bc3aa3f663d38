import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { useDisposable } from './bridge.ts';
import { useEdge } from './contexts.ts';
import type { CommandId } from './ids.ts';

/** Registers a command whose work is an operation. What it returns or throws goes to the caller of the command. */
export function* useCommand(
  id: CommandId,
  work: (...args: unknown[]) => Operation<unknown>,
): Operation<void> {
  const edge = yield* useEdge();
  yield* useDisposable(() =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => edge.promise(() => work(...args))),
  );
}
