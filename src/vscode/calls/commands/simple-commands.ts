import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { useExtension, useLog } from '../../contexts.ts';
import { commands, walkthrough } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';

/** Commands that only open something. */
export function* useSimpleCommands(): Operation<void> {
  const { extension } = yield* useExtension();
  const log = yield* useLog();
  yield* useCommand(commands.showLog, function* () {
    log.show();
  });
  yield* useCommand(commands.openWalkthrough, function* () {
    const id = `${extension.id}#${walkthrough}`;
    yield* fromThenable(vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false));
  });
}
