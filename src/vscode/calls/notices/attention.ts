import { type Operation, race, resource, sleep } from 'effection';
import * as vscode from 'vscode';
import { withoutMarks } from '../../../core/messages/plain-line.ts';
import type { Question } from '../../../panel-port/index.ts';
import { fromThenable, useSubscription } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { type CallEntry, hasEnded, isAsking, isOfOthers } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { CallPanel } from '../panel/call-panel.ts';
import type { OpenPanel } from './background-column.ts';
import type { DrawnPages } from './drawn-pages.ts';
import { howToTell } from './how-to-tell.ts';
import { noticeText } from './notice-text.ts';
import { until } from './progress.ts';
import { type QuickAnswer, quickAnswers } from './quick-answers.ts';
import { tellsOfEnd } from './tells-of-end.ts';
import { waitingUnseen } from './waiting-calls.ts';

/** Sees to it that a question is noticed, and that nobody who types is disturbed. */
export interface Attention {
  /**
   * A question of this call has opened. Its first opens the panel beside the editor; when the person closed or covered
   * the panel, the badge counts it and one notification speaks for all that wait; where few answers are all there is, it has them as
   * buttons.
   */
  asked(entry: CallEntry): void;
  /** The person closed the panel of this call: says that its question still waits, and offers to show or cancel it. */
  closed(entry: CallEntry): void;
  /** This call is over: says so where it worked for long and nobody sees it, and not while another such notification is there. */
  ended(entry: CallEntry): void;
  /** A sampling of this call failed for want of a model: offers to choose one, if the panel does not do so already. */
  lackedModel(entry: CallEntry, error: Error): void;
}

/** A resource: the attention of this window. `drawn`: the pages in its chat. */
export function useAttention(calls: CallList, drawn: DrawnPages): Operation<Attention> {
  return resource(function* (provide) {
    const edge = yield* useEdge();
    let notified = false;
    let toldOfEnd = false;
    // The next question after all were seen is news again.
    yield* useSubscription(() =>
      calls.subscribe(() => {
        if (waitingUnseen(calls).every(isOfOthers)) notified = false;
      }),
    );
    const show = (entry: CallEntry): void => {
      const { panel } = entry;
      const told = howToTell({
        location: setting('parley.panel.location'),
        panel,
        notified,
        activeColumn: vscode.window.tabGroups.activeTabGroup.viewColumn,
        panels: openPanels(calls),
      });
      if (told === 'nothing') return;
      if (told !== 'notify') {
        panel.showInBackground(told.opens);
        closeRead(calls, panel);
        return;
      }
      notified = true;
      edge.fork('the notification of waiting questions', () => notify(entry));
    };
    yield* provide({
      asked(entry) {
        if (entry.asker.kind !== 'agent' || setting('parley.questions.agent') !== 'chat') return show(entry);
        edge.fork('a question in the chat', () => showUnlessInChat(entry, drawn, show));
      },
      closed(entry) {
        const { question } = entry.panel.store.get();
        if (!question) return;
        edge.fork('the notification of a question that still waits', () => stillWaits(entry, question));
      },
      ended(entry) {
        const { asker, panel } = entry;
        const seen = panel.visible || panel.guests.any;
        const after = setting('parley.notifyAfter');
        if (!tellsOfEnd({ asker: asker.kind, seen, state: panel.store.get(), after, told: toldOfEnd }))
          return;
        toldOfEnd = true;
        edge.fork('the notification of a call that is over', function* () {
          try {
            yield* race([sayEnded(entry), until(entry, () => panel.visible), sleep(END_SHOWN)]);
          } finally {
            toldOfEnd = false;
          }
        });
      },
      lackedModel(entry, error) {
        if (entry.asker.kind !== 'person' || entry.panel.visible) return;
        edge.fork('the notification of a missing model', () => offerModels(entry, error));
      },
    });
  });
}

/** How long the chat has to show its page, in milliseconds, before the panel opens. */
const PAGE_PATIENCE = 3_000;

/** How long a page that is drawn has to speak after that, in milliseconds: the machine is busy. */
const DRAWN_PATIENCE = 15_000;

function* showUnlessInChat(
  entry: CallEntry,
  drawn: DrawnPages,
  show: (entry: CallEntry) => void,
): Operation<void> {
  const { guests, store } = entry.panel;
  if (!guests.any) yield* race([guests.joined(), sleep(PAGE_PATIENCE)]);
  if (!guests.any && drawn.has(entry.toolName, store.get().call.startedAt ?? Number.POSITIVE_INFINITY))
    yield* race([guests.joined(), sleep(DRAWN_PATIENCE)]);
  if (!guests.any && isAsking(entry)) show(entry);
}

/** How long the notification of an end counts as seen, in milliseconds: the editor puts it away by itself, and does not say so. */
const END_SHOWN = 30_000;

function openPanels(calls: CallList): readonly OpenPanel[] {
  return calls.list().flatMap((entry) => {
    const { place } = entry.panel;
    return place ? [{ ...place, ended: hasEnded(entry), asking: isAsking(entry) }] : [];
  });
}

/** Closes panels of others' calls that are over: their result went to the caller, and tabs would pile up. */
function closeRead(calls: CallList, opening: CallPanel): void {
  for (const entry of calls.list()) {
    const { panel, asker } = entry;
    if (panel !== opening && asker.kind !== 'person' && hasEnded(entry) && panel.openedInBackground)
      panel.close();
  }
}

function* notify(entry: CallEntry): Operation<void> {
  const { title, asker, panel } = entry;
  const { question } = panel.store.get();
  const answers = question ? quickAnswers(question, vscode.l10n.t) : [];
  if (question && answers.length > 0) return yield* askHere(entry, question, answers);
  const show = vscode.l10n.t('Show');
  const message =
    asker.kind === 'person'
      ? vscode.l10n.t('“{0}” is waiting for your answer.', noticeText(title))
      : vscode.l10n.t(
          '“{0}”, started by {1}, is waiting for your answer.',
          noticeText(title),
          noticeText(asker.name),
        );
  const pressed = yield* fromThenable(vscode.window.showInformationMessage(message, show));
  if (pressed === show) yield* fromThenable(vscode.commands.executeCommand(commands.showWaiting));
}

/** Asks a question that needs no panel, each of its answers a button. */
function* askHere(
  { title, asker, panel }: CallEntry,
  question: Question,
  answers: readonly QuickAnswer[],
): Operation<void> {
  const asked = withoutMarks(question.message);
  const message =
    asker.kind === 'person'
      ? vscode.l10n.t('{0}: {1}', noticeText(title), asked)
      : vscode.l10n.t('{0}, started by {1}: {2}', noticeText(title), noticeText(asker.name), asked);
  const open = { title: vscode.l10n.t('Open') };
  const buttons = answers.map((answer) => ({ title: answer.label, answer }));
  const pressed = yield* fromThenable(
    vscode.window.showInformationMessage<vscode.MessageItem>(message, ...buttons, open),
  );
  const chosen = buttons.find((button) => button === pressed);
  if (chosen) panel.inbox.give(question, chosen.answer.reply);
  else if (pressed) panel.show();
}

function* stillWaits({ title, panel, asker }: CallEntry, question: Question): Operation<void> {
  const show = vscode.l10n.t('Show');
  const cancel = vscode.l10n.t('Cancel Question');
  const message =
    asker.kind === 'person'
      ? vscode.l10n.t('“{0}” is still waiting for your answer.', noticeText(title))
      : vscode.l10n.t(
          '“{0}”, started by {1}, is still waiting for your answer.',
          noticeText(title),
          noticeText(asker.name),
        );
  const pressed = yield* fromThenable(vscode.window.showInformationMessage(message, show, cancel));
  if (pressed === show) panel.show();
  if (pressed === cancel) panel.inbox.give(question, { action: 'cancel' });
}

function* sayEnded({ title, panel, asker }: CallEntry): Operation<void> {
  const show = vscode.l10n.t('Show');
  const failed = panel.store.get().call.status === 'failed';
  const message =
    asker.kind === 'person'
      ? vscode.l10n.t('“{0}” is done.', noticeText(title))
      : failed
        ? vscode.l10n.t('“{0}”, started by {1}, failed.', noticeText(title), noticeText(asker.name))
        : vscode.l10n.t('“{0}”, started by {1}, is done.', noticeText(title), noticeText(asker.name));
  const pressed = yield* fromThenable(vscode.window.showInformationMessage(message, show));
  if (pressed === show) panel.show();
}

function* offerModels({ title }: CallEntry, error: Error): Operation<void> {
  const choose = vscode.l10n.t('Choose Model…');
  const message = noticeText(`${title}: ${error.message}`);
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, choose));
  if (pressed === choose) yield* fromThenable(vscode.commands.executeCommand(commands.chooseSamplingModel));
}
