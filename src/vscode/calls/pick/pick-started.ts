import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { timeText } from '../../../panel-port/times.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { inform } from '../notices/inform.ts';
import { pickOne } from './pick-one.ts';

/** The call whose panel has the keyboard, or the only one, or the one that the person picks. Says so where there is none. */
export function* pickStarted(calls: CallList): Operation<CallEntry | undefined> {
  const started = calls.list().filter((entry) => entry.record());
  if (started.length === 0) inform(vscode.l10n.t('There are no calls yet.'));
  return started.find(({ panel }) => panel.place?.active) ?? (yield* pickAmong(started));
}

/**
 * The call of the panel whose menu was used. A menu names its tab by an address that the editor tells nobody else, and that tab need
 * not be the active one: where several panels are in sight, the person says which.
 */
export function* pickShown(calls: CallList): Operation<CallEntry | undefined> {
  return yield* pickAmong(calls.list().filter(({ panel }) => panel.visible));
}

function* pickAmong(entries: readonly CallEntry[]): Operation<CallEntry | undefined> {
  if (entries.length <= 1) return entries[0];
  const items = entries.map((entry) => {
    const time = entry.record()?.startedAt;
    return {
      label: entry.title,
      description: time === undefined ? '' : timeText(time),
      entry,
    };
  });
  const placeHolder = vscode.l10n.t('Choose a call');
  return (yield* pickOne(items, { placeHolder }))?.entry;
}
