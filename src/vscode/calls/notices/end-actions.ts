import * as vscode from 'vscode';
import { type Edge, fromThenable } from '../../bridge.ts';
import { commands, type SettingId } from '../../ids.ts';
import type { CallEntry } from '../call-entry.ts';
import type { EndAction } from './explain.ts';

const modelSetting: SettingId = 'parley.sampling.model';

/** Does what the buttons at the end of a call say. */
export function createEndActions(edge: Edge): (entry: CallEntry, action: EndAction) => void {
  const execute = (command: string, ...args: unknown[]): void => {
    edge.fork(command, () => fromThenable(vscode.commands.executeCommand(command, ...args)));
  };
  return (entry, action) => {
    switch (action) {
      case 'runAgain':
        return execute(commands.runCallAgain, entry);
      case 'chooseModel':
        return execute(commands.chooseSamplingModel);
      case 'openSettings':
        return execute('workbench.action.openSettings', modelSetting);
    }
  };
}
