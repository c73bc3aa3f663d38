import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { toError } from '../../../core/errors/errors.ts';
import { fromThenable } from '../../bridge.ts';
import { useLog } from '../../contexts.ts';

/** Says that calls cannot be saved: in a notification the first time, in the log always. They go on. */
export function* sayNotKept(cause: unknown, first: boolean): Operation<void> {
  const log = yield* useLog();
  log.warn('A call cannot be kept', cause);
  if (!first) return;
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t(
    'Calls in this window are not saved: {0} They continue to run, but end when the window closes.',
    toError(cause).message,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, show));
  if (pressed === show) log.show();
}
