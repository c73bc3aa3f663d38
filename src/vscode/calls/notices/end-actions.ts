import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { commands, type SettingId } from '../../ids.ts';
import type { CallEntry } from '../call-entry.ts';
import type { EndAction } from './explain.ts';

const modelSetting: SettingId = 'parley.sampling.model';

/** Does what the buttons at the end of a call say. A page may say anything else: nothing happens then. */
export function* useEndActions(): Operation<(entry: CallEntry, action: string) => void> {
  const edge = yield* useEdge();
  return (entry, action) => {
    const does: Record<EndAction, readonly [command: string, argument?: unknown]> = {
      runAgain: [commands.runCallAgain, entry],
      chooseModel: [commands.chooseSamplingModel],
      openSettings: ['workbench.action.openSettings', modelSetting],
    };
    if (!Object.hasOwn(does, action)) return;
    const [command, ...args] = does[action as EndAction];
    edge.fork(command, () => fromThenable(vscode.commands.executeCommand(command, ...args)));
  };
}
