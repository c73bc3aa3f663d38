import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type Edge, fromThenable } from '../bridge.ts';
import { commands, walkthrough } from '../ids.ts';
import type { Log } from '../log/log.ts';
import { useCommand } from './use-command.ts';

/** Commands that only open something. */
export function* useSimpleCommands(edge: Edge, log: Log, extensionId: string): Operation<void> {
  yield* useCommand(edge, commands.showLog, function* () {
    log.show();
  });
  yield* useCommand(edge, commands.openWalkthrough, function* () {
    const id = `${extensionId}#${walkthrough}`;
    yield* fromThenable(vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false));
  });
}
