import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { toError } from '../../core/errors/errors.ts';
import { type Edge, fromThenable } from '../bridge.ts';
import { useEdge, useLog } from '../contexts.ts';

/** Windows that have told the person. */
const told = new WeakSet<Edge>();

/** Says that a call of an earlier window cannot be read: in a notification the first time, in the log always. The others are there. */
export function* sayUnreadable(cause: unknown): Operation<void> {
  const log = yield* useLog();
  const edge = yield* useEdge();
  log.warn('A call of an earlier window cannot be read', cause);
  if (told.has(edge)) return;
  told.add(edge);
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t(
    'A call of an earlier window cannot be read: {0} All others are there.',
    toError(cause).message,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, show));
  if (pressed === show) log.show();
}
