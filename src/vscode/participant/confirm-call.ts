import { type Operation, race } from 'effection';
import * as vscode from 'vscode';
import type { ProposedCall } from '../../chat/options.ts';
import { fromThenable, untilCancelled } from '../bridge.ts';
import { titleOf } from '../calls/call-entry.ts';
import { needsConfirmation, parametersText } from '../lm/invocation.ts';

/** Asks the person before a tool runs that does more than read. Stopping the turn is a no. */
export function* confirmCall(call: ProposedCall, token: vscode.CancellationToken): Operation<boolean> {
  if (!needsConfirmation(call.tool)) return true;
  return yield* race([ask(call), stopped(token)]);
}

function* ask({ tool, input }: ProposedCall): Operation<boolean> {
  const run = vscode.l10n.t('Run');
  const message = vscode.l10n.t('@parley wants to run “{0}”.', titleOf(tool));
  const detail = parametersText(input);
  const pressed = yield* fromThenable(
    vscode.window.showWarningMessage(message, { modal: true, detail }, run),
  );
  return pressed === run;
}

function* stopped(token: vscode.CancellationToken): Operation<boolean> {
  yield* untilCancelled(token);
  return false;
}
