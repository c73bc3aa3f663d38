import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { plainLine } from '../../core/messages/plain-line.ts';
import { type CallEntry, hasEnded } from '../calls/call-entry.ts';
import type { CallList } from '../calls/call-list.ts';
import { noticeText } from '../calls/notices/notice-text.ts';
import { waitingNext } from '../calls/notices/waiting-calls.ts';
import type { FindCall } from '../history/call-finder.ts';
import { commands } from '../ids.ts';
import { pickOne } from '../pick/pick-one.ts';
import { useAbortCallsOfClient } from './abort-calls-of-client.ts';
import { entryOf } from './entry-of.ts';
import { useCommand } from './use-command.ts';

/** Commands on calls: show, stop, clear, and answer what waits. */
export function* useCallCommands(calls: CallList, find: FindCall): Operation<void> {
  yield* useCommand(commands.revealCall, function* (argument) {
    (yield* find(argument))?.panel.show();
  });
  yield* useCommand(commands.abortCall, function* (argument) {
    const running = calls.list().filter((entry) => !hasEnded(entry));
    const looked = argument instanceof vscode.Uri && running.find(({ panel }) => panel.place?.active);
    const entry =
      (looked || entryOf(calls, argument)) ??
      (yield* pickCall(running, vscode.l10n.t('Pick a call to stop')));
    entry?.abort();
  });
  yield* useCommand(commands.abortAllCalls, function* () {
    for (const entry of calls.list()) if (!hasEnded(entry)) entry.abort();
  });
  yield* useAbortCallsOfClient(calls);
  yield* useCommand(commands.showLastCall, function* () {
    calls.list()[0]?.panel.show();
  });
  yield* useCommand(commands.showWaiting, function* (which) {
    const waiting = waitingNext(calls);
    const entry =
      which === 'oldest' ? waiting[0] : yield* pickCall(waiting, vscode.l10n.t('Pick a question to answer'));
    entry?.panel.show();
  });
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
