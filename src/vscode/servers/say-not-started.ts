import { action, type Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import { noticeText } from '../calls/notices/notice-text.ts';
import type { ServerBook } from './server-book.ts';
import type { ServerUnit } from './server-unit.ts';

/** Who starts a server that does not come up hears why, once: it is tried again, and its row says so. */
export function* sayNotStarted(
  unit: Pick<ServerUnit, 'row' | 'log' | 'found'>,
  book: Pick<ServerBook, 'subscribe'>,
): Operation<void> {
  yield* action<void>((resolve) => {
    const look = () => unit.row.state.kind === 'connecting' || resolve();
    look();
    return book.subscribe(look);
  });
  const { name, state, local, place } = unit.row;
  if (state.kind !== 'waiting') return;
  const message = local
    ? vscode.l10n.t('Could not start “{0}”: {1}', name, state.why)
    : vscode.l10n.t('Could not connect to “{0}”: {1}', name, state.why);
  const log = vscode.l10n.t('Show Log');
  const open = place !== 'setting' ? vscode.l10n.t('Open mcp.json') : vscode.l10n.t('Open Settings');
  const pressed = yield* fromThenable(vscode.window.showErrorMessage(noticeText(message, 500), log, open));
  if (pressed === log) unit.log.show();
  if (pressed !== open) return;
  const { file } = unit.found;
  if (file) yield* fromThenable(vscode.window.showTextDocument(file));
  else yield* fromThenable(vscode.commands.executeCommand('workbench.action.openSettings', 'parley.servers'));
}
