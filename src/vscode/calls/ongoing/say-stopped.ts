import { type Operation, sleep } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { views } from '../../ids.ts';
import type { CallEntry } from '../call-entry.ts';
import { noticeText } from '../notices/notice-text.ts';

/** So long the editor may take to bring tabs back, and we to put panels in place of dead ones, milliseconds. */
const TABS_COME = 4_000;

/** Says which calls ended with their window, where no panel is back that says so. */
export function* sayStopped(stopped: readonly CallEntry[]): Operation<void> {
  yield* sleep(TABS_COME);
  const untold = stopped.filter(({ panel }) => !panel.open);
  const [one, ...more] = untold;
  if (!one) return;
  const show = vscode.l10n.t('Show');
  const message =
    more.length === 0
      ? vscode.l10n.t('“{0}” ended with the window, because its tool is not durable.', noticeText(one.title))
      : vscode.l10n.t('{0} calls ended with the window, because their tools are not durable.', untold.length);
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, show));
  if (pressed !== show) return;
  if (more.length === 0) one.panel.show();
  else yield* fromThenable(vscode.commands.executeCommand(`${views.calls}.focus`));
}
