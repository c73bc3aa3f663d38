import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { toError } from '../../../core/errors/errors.ts';
import { type Edge, fromThenable } from '../../bridge.ts';
import { useEdge, useLog } from '../../contexts.ts';

/** Windows that have told the person. */
const told = new WeakSet<Edge>();

/** Says that the key is another than the last time, so that nothing of before can be read. */
export function* sayKeyLost(): Operation<void> {
  const message = vscode.l10n.t(
    'The encryption key for the calls of this workspace is missing from VS Code’s secret storage. Calls from earlier windows can no longer be read. New calls use a new key.',
  );
  (yield* useLog()).warn(message);
  yield* fromThenable(vscode.window.showWarningMessage(message));
}

/** Says that a call of an earlier window cannot be read: in a notification the first time, in the log always. The others are there. */
export function* sayUnreadable(cause: unknown): Operation<void> {
  const log = yield* useLog();
  const edge = yield* useEdge();
  log.warn('A call of an earlier window cannot be read', cause);
  if (told.has(edge)) return;
  told.add(edge);
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t(
    'A call from an earlier window could not be read: {0} All other calls were restored.',
    toError(cause).message,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, show));
  if (pressed === show) log.show();
}
