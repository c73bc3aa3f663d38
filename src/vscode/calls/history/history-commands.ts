import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { hasEnded } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { agreed } from '../notices/agreed.ts';
import type { CallHistory } from './call-history.ts';

/** Commands that throw calls away which are over: one, those of this window, or all. */
export function* useHistoryCommands(calls: CallList, history: CallHistory): Operation<void> {
  yield* useCommand(commands.deleteCall, function* (argument) {
    const callId = idOf(argument);
    if (callId === undefined) return;
    const entry = calls.list().find((one) => one.record()?.id === callId);
    if (entry && hasEnded(entry)) calls.remove(entry);
    entry?.panel.close();
    yield* history.forget(new Set([callId]));
  });
  yield* useCommand(commands.clearFinishedCalls, function* () {
    const ended = calls.list().filter(hasEnded);
    calls.clearEnded();
    yield* history.forget(new Set(ended.flatMap((entry) => entry.record()?.id ?? [])));
  });
  yield* useCommand(commands.clearHistory, function* () {
    const clear = vscode.l10n.t('Clear History');
    const message = vscode.l10n.t('Delete all finished calls in this workspace?');
    const detail = vscode.l10n.t('Their parameters, answers and results are deleted permanently.');
    if (!(yield* agreed({ message, detail, button: clear }))) return;
    calls.clearEnded();
    yield* history.clear();
  });
}

function idOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  if ('callId' in argument && typeof argument.callId === 'string') return argument.callId;
  // A call of this window.
  return 'record' in argument && typeof argument.record === 'function'
    ? (argument.record() as { id?: string } | undefined)?.id
    : undefined;
}
