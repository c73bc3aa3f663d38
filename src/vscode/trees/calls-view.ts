import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type CallStatus, durationText } from '../../panel-port/index.ts';
import { useDisposable, useSubscription } from '../bridge.ts';
import { askerText, shownAsker } from '../calls/asker.ts';
import { type CallEntry, hasEnded } from '../calls/call-entry.ts';
import type { CallList } from '../calls/call-list.ts';
import { commands, treeItems, views } from '../ids.ts';
import { callTimes } from './call-times.ts';
import { spoken } from './spoken.ts';

/** The Calls view: what runs and what ran, newest first; its badge counts questions that nobody sees. */
export function* useCallsView(calls: CallList): Operation<void> {
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  const treeDataProvider: vscode.TreeDataProvider<CallEntry> = {
    onDidChangeTreeData: changes.event,
    getChildren: (parent) => (parent ? [] : [...calls.list()]),
    getTreeItem: itemOf,
    getParent: () => undefined,
  };
  const view = yield* useDisposable(() =>
    vscode.window.createTreeView(views.calls, { treeDataProvider, showCollapseAll: false }),
  );
  yield* useSubscription(() =>
    calls.subscribe(() => {
      changes.fire();
      const badge = badgeOf(calls);
      if (view.badge?.value !== badge?.value) view.badge = badge;
    }),
  );
}

function badgeOf(calls: CallList): vscode.ViewBadge | undefined {
  const unseen = calls.list().filter(({ panel }) => panel.store.get().question && !panel.visible).length;
  if (unseen === 0) return undefined;
  const tooltip =
    unseen === 1 ? vscode.l10n.t('1 question waits') : vscode.l10n.t('{0} questions wait', unseen);
  return { value: unseen, tooltip };
}

function itemOf(entry: CallEntry): vscode.TreeItem {
  const { call, question, end, timers } = entry.panel.store.get();
  const status = statusText(call.status);
  const item = new vscode.TreeItem(entry.title);
  item.id = entry.id;
  const times = callTimes(call);
  const ended = times === undefined ? status : `${status}, ${times}`;
  const asker = shownAsker(entry.asker);
  const now = question ? `${status}: ${question.message}` : ended;
  item.description = asker ? `${asker.name} · ${now}` : now;
  item.iconPath = icons[call.status];
  item.contextValue = contextOf(entry);
  const problem = end?.kind === 'error' ? end.error.message : '';
  const waited =
    times === undefined || timers.human.total < 1000
      ? ''
      : vscode.l10n.t('{0} of it waiting for you', durationText(timers.human.total));
  item.tooltip = tooltipOf(asker, [
    `${entry.title} (${call.toolName})`,
    asker ? vscode.l10n.t('Asked for by {0}', askerText(asker, vscode.l10n.t)) : '',
    question?.message ?? ended,
    waited,
    problem,
  ]);
  item.command = { command: commands.revealCall, title: vscode.l10n.t('Show Call'), arguments: [entry] };
  return spoken(item, entry.title);
}

/** The lines as they are, behind the icon of who asked. What tools and clients say is never Markdown here. */
function tooltipOf(
  asker: ReturnType<typeof shownAsker>,
  lines: readonly string[],
): vscode.MarkdownString | string {
  const text = lines.filter((line) => line !== '');
  if (!asker) return text.join('\n');
  const tooltip = new vscode.MarkdownString(`$(${asker.icon}) `, true);
  return tooltip.appendText(text.join('\n'));
}

function contextOf(entry: CallEntry): string {
  if (hasEnded(entry)) return treeItems.finishedCall;
  return entry.asker.kind === 'person' ? treeItems.runningCall : treeItems.clientCall;
}

const icons: Record<CallStatus, vscode.ThemeIcon> = {
  preparing: new vscode.ThemeIcon('edit'),
  running: new vscode.ThemeIcon('loading~spin'),
  waiting: new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground')),
  completed: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  aborted: new vscode.ThemeIcon('circle-slash'),
};

function statusText(status: CallStatus): string {
  switch (status) {
    case 'preparing':
      return vscode.l10n.t('parameters');
    case 'running':
      return vscode.l10n.t('running');
    case 'waiting':
      return vscode.l10n.t('waiting for you');
    case 'completed':
      return vscode.l10n.t('done');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'aborted':
      return vscode.l10n.t('stopped');
  }
}
