import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { plainLine } from '../../../core/messages/plain-line.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { type CallEntry, hasEnded } from '../call-entry.ts';
import { type CallList, ownCalls } from '../call-list.ts';
import type { FindCall } from '../history/call-finder.ts';
import { inform } from '../notices/inform.ts';
import { noticeText } from '../notices/notice-text.ts';
import { waitingNext } from '../notices/waiting-calls.ts';
import { pickOne } from '../pick/pick-one.ts';
import { useAbortCallsOfClient } from './abort-calls-of-client.ts';
import { meantCall, sayEnded } from './meant-call.ts';

/** Commands on calls: show, stop, clear, and answer what waits. */
export function* useCallCommands(calls: CallList, find: FindCall): Operation<void> {
  yield* useCommand(commands.revealCall, function* (argument) {
    (yield* meantCall({ calls, find }, argument))?.panel.show();
  });
  yield* useCommand(commands.abortCall, function* (argument) {
    const entry =
      argument === undefined ? yield* pickRunning(calls) : yield* meantCall({ calls, find }, argument);
    if (!entry) return;
    if (hasEnded(entry)) sayEnded(entry);
    else entry.abort();
  });
  yield* useCommand(commands.abortAllCalls, function* () {
    for (const entry of ownCalls(calls)) if (!hasEnded(entry)) entry.abort();
  });
  yield* useAbortCallsOfClient(calls);
  yield* useCommand(commands.showLastCall, function* () {
    const [last] = ownCalls(calls);
    if (last) last.panel.show();
    else inform(vscode.l10n.t('There are no calls yet.'));
  });
  yield* useCommand(commands.showWaiting, function* (which) {
    const waiting = waitingNext(calls);
    if (waiting.length === 0) inform(vscode.l10n.t('No questions are waiting.'));
    const entry =
      which === 'oldest'
        ? waiting[0]
        : yield* pickCall(waiting, vscode.l10n.t('Choose a question to answer'));
    entry?.panel.show();
  });
}

/** The one whose panel has the keyboard, the only one, or the one that the person picks. */
function* pickRunning(calls: CallList): Operation<CallEntry | undefined> {
  const running = calls.list().filter((entry) => !hasEnded(entry));
  if (running.length === 0) inform(vscode.l10n.t('No call is running.'));
  const looked = running.find(({ panel }) => panel.place?.active);
  return looked ?? (yield* pickCall(running, vscode.l10n.t('Choose a call to stop')));
}

/** The only one, or the one that the person picks. */
function* pickCall(entries: readonly CallEntry[], placeHolder: string): Operation<CallEntry | undefined> {
  if (entries.length <= 1) return entries[0];
  const items = entries.map((entry) => ({
    label: entry.title,
    description: noticeText(plainLine(entry.panel.store.get().question?.message ?? '')),
    entry,
  }));
  const picked = yield* pickOne(items, { placeHolder });
  return picked?.entry;
}
