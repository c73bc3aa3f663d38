import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { resultText } from '../../../panel-port/index.ts';
import { fromThenable } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { type CallEntry, NEW_VERSION } from '../call-entry.ts';
import { openPlace } from '../panel/open-place.ts';
import type { EndAction } from './explain.ts';

/** Does what the buttons at the end of a call say. A page may say anything else: nothing happens then. */
export function* useEndActions(): Operation<(entry: CallEntry, action: string) => void> {
  const edge = yield* useEdge();
  const goToLine = ({ panel }: CallEntry): void => {
    const { end } = panel.store.get();
    const trace = end?.kind === 'error' ? (end.error.trace ?? []) : [];
    const [frame] = trace.flatMap(({ own }) => own);
    if (frame) edge.fork('opening a file', () => openPlace(frame.place, panel.place?.column));
  };
  return (entry, action) => {
    if (action === 'goToLine') return goToLine(entry);
    const does: Record<
      Exclude<EndAction, 'goToLine'> | typeof NEW_VERSION,
      readonly [command: string, ...args: unknown[]]
    > = {
      [NEW_VERSION]: [commands.continueWithNewVersion, entry],
      runAgain: [commands.runCallAgain, entry],
      runKeeping: [commands.runCallKeeping, entry],
      tryAgain: [commands.runCallKeeping, entry, 'all'],
      debugAgain: [commands.debugCallAgain, entry],
      chooseModel: [commands.chooseSamplingModel],
      signIn: ['workbench.action.chat.triggerSetup'],
      addToChat: ['workbench.action.chat.open', { query: chatText(entry), isPartialQuery: true }],
    };
    if (!Object.hasOwn(does, action)) return;
    const [command, ...args] = does[action as keyof typeof does];
    edge.fork(command, () => fromThenable(vscode.commands.executeCommand(command, ...args)));
  };
}

/** Characters of a result that a prompt is begun with. */
const maxResult = 20_000;

/** A prompt that brings along what came of a call whose caller is gone. */
function chatText({ title, panel, asker }: CallEntry): string {
  const { end } = panel.store.get();
  if (end?.kind !== 'result') return '';
  const to = asker.kind === 'chat' ? `${asker.name} ` : '';
  return `${to}${vscode.l10n.t('The result of “{0}”:', title)}\n\n${resultText(end, 'text').slice(0, maxResult)}\n\n`;
}
