import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { timeText } from '../../panel-port/times.ts';
import type { CallEntry } from '../calls/call-entry.ts';
import type { CallList } from '../calls/call-list.ts';
import { pickOne } from './pick-one.ts';

/** The call whose panel has the keyboard, or the only one, or the one that the person picks. */
export function* pickStarted(calls: CallList): Operation<CallEntry | undefined> {
  const started = calls.list().filter((entry) => entry.record());
  const active = started.find(({ panel }) => panel.place?.active);
  if (active || started.length <= 1) return active ?? started[0];
  const items = started.map((entry) => {
    const time = entry.record()?.startedAt;
    return {
      label: entry.title,
      description: time === undefined ? '' : timeText(time),
      entry,
    };
  });
  const placeHolder = vscode.l10n.t('Pick a call');
  return (yield* pickOne(items, { placeHolder }))?.entry;
}
