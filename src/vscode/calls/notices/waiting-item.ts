import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { useDisposable, useSubscription } from '../../bridge.ts';
import { commands } from '../../ids.ts';
import type { CallList } from '../call-list.ts';
import { waitingCalls, waitingNext } from './waiting-calls.ts';

/** In the status bar: how many questions wait. It is there while one does, and leads to the one that has waited longest. */
export function* useWaitingItem(calls: CallList): Operation<void> {
  const item = yield* useDisposable(() =>
    vscode.window.createStatusBarItem('parley.waiting', vscode.StatusBarAlignment.Left, 100),
  );
  item.name = vscode.l10n.t('Questions from Parley tools');
  item.command = {
    command: commands.showWaiting,
    title: vscode.l10n.t('Answer'),
    arguments: ['oldest'],
  };
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  const update = () => {
    const waiting = waitingCalls(calls);
    const [oldest] = waitingNext(calls);
    if (!oldest) return item.hide();
    item.text = `$(question) ${waiting.length}`;
    item.tooltip = vscode.l10n.t('“{0}” is waiting for your answer.', oldest.title);
    const label =
      waiting.length === 1
        ? vscode.l10n.t('1 question waiting')
        : vscode.l10n.t('{0} questions waiting', waiting.length);
    item.accessibilityInformation = { label, role: 'button' };
    item.show();
  };
  update();
  yield* useSubscription(() => calls.subscribe(update));
}
