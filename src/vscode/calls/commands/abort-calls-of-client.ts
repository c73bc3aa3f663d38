import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { callPerClient, callsOfSameClient } from '../calls-of-client.ts';
import { agreed } from '../notices/agreed.ts';
import { inform } from '../notices/inform.ts';
import { pickOne } from '../pick/pick-one.ts';
import { entryOf } from './entry-of.ts';

/** _Stop All Calls of This Client…_: for a client that left its questions behind, or asks without end. */
export function* useAbortCallsOfClient(calls: CallList): Operation<void> {
  yield* useCommand(commands.abortCallsOfClient, function* (argument) {
    const one = entryOf(calls, argument) ?? (yield* pickClient(calls));
    if (!one) return;
    const found = callsOfSameClient(calls.list(), one);
    // The last of them may have ended since its row was drawn.
    if (found.length === 0) return sayNone();
    const stop = vscode.l10n.t('Stop All');
    const detail = vscode.l10n.t('Their questions close, and their results are lost.');
    const message =
      found.length === 1
        ? vscode.l10n.t('Stop the call from {0}?', nameOf(one))
        : vscode.l10n.t('Stop all {0} calls from {1}?', found.length, nameOf(one));
    if (!(yield* agreed({ message, detail, button: stop }))) return;
    // Those that came while the question was open, too.
    for (const entry of callsOfSameClient(calls.list(), one)) entry.abort();
  });
}

function* pickClient(calls: CallList): Operation<CallEntry | undefined> {
  const items = callPerClient(calls.list()).map((entry) => {
    const count = callsOfSameClient(calls.list(), entry).length;
    const description = count === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', count);
    return { label: nameOf(entry), description, entry };
  });
  const placeHolder = vscode.l10n.t('Choose a client to stop its calls');
  if (items.length === 0) {
    sayNone();
    return undefined;
  }
  return (yield* pickOne(items, { placeHolder }))?.entry;
}

function sayNone(): void {
  inform(vscode.l10n.t('No client has running calls.'));
}

function nameOf({ asker }: CallEntry): string {
  return asker.kind === 'person' ? vscode.l10n.t('yours') : asker.name;
}
