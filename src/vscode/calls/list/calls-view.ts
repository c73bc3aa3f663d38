import { basename } from 'node:path';
import { type Operation, spawn } from 'effection';
import * as vscode from 'vscode';
import { plainLine } from '../../../core/messages/plain-line.ts';
import type { CallInfo, CallStatus } from '../../../panel-port/index.ts';
import { durationText, minuteText } from '../../../panel-port/times.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { useDisposable, useSubscription } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { commands, treeItems, views } from '../../ids.ts';
import { askerText } from '../asker.ts';
import {
  type CallEntry,
  hasChanged,
  hasEnded,
  isAsking,
  isOfOthers,
  type OtherPlace,
} from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { CallHistory } from '../history/call-history.ts';
import type { KeptCall } from '../history/kept-call.ts';
import { noticeText } from '../notices/notice-text.ts';
import { waitingUnseen } from '../notices/waiting-calls.ts';
import type { EarlierWindows } from '../ongoing/earlier-windows.ts';
import { givenText } from '../parameters/given.ts';
import { followProgress, progressText } from './call-progress.ts';
import { callTimes } from './call-times.ts';
import { elsewhereText } from './elsewhere-text.ts';
import { createFirstAnswer } from './first-answer.ts';
import { spoken } from './spoken.ts';

/**
 * What the Calls view lists: calls of this window, and those of earlier ones in a group of their own. While other programs ask, what waits for the person
 * is a group, too.
 */
type CallNode = CallEntry | KeptCall | Group;

type Group = typeof EARLIER | typeof WAITING;

const EARLIER = 'earlier';
const WAITING = 'waiting';

/** So long the view waits at first for what is left of earlier windows, milliseconds: the person may be asked for a password before that is known. */
const PATIENCE = 1_000;

/** The Calls view: what waits for the person, what runs and what ran, each newest first; its badge counts questions that nobody sees. */
export function* useCallsView(
  calls: CallList,
  registry: ToolRegistry,
  history: CallHistory,
  earlierWindows: Pick<EarlierWindows, 'looked' | 'elsewhere' | 'subscribe'>,
): Operation<void> {
  const edge = yield* useEdge();
  const roots = function* (): Operation<CallNode[]> {
    yield* first.ready();
    const isGrouped = calls.list().some(isOfOthers);
    const own = calls.list().filter((entry) => isOfWindow(entry) && !(isGrouped && isWaiting(entry)));
    return [
      ...(isGrouped ? ([WAITING] as const) : []),
      ...own.sort(byUrgency),
      ...(earlier(calls, history).length > 0 ? ([EARLIER] as const) : []),
    ];
  };
  const isOwn = (toolName: string) => registry.get(toolName)?.source.kind === 'workspace';
  const first = createFirstAnswer(earlierWindows.looked, PATIENCE);
  const changes = yield* useDisposable(() => new vscode.EventEmitter<CallNode[] | undefined>());
  const treeDataProvider: vscode.TreeDataProvider<CallNode> = {
    onDidChangeTreeData: changes.event,
    getChildren(parent) {
      if (parent === EARLIER) return [...earlier(calls, history)];
      if (parent === WAITING) return [...allWaiting(calls)];
      return parent === undefined ? edge.promise(roots) : [];
    },
    getTreeItem: (node) => itemOf(node, isOwn),
    getParent(node) {
      if (isGroup(node)) return undefined;
      if ('callId' in node) return EARLIER;
      return isWaiting(node) && calls.list().some(isOfOthers) ? WAITING : undefined;
    },
  };
  const refresh = (moved?: CallNode[]) => {
    if (!first.isAwaited) changes.fire(moved);
  };
  const view = yield* useDisposable(() =>
    vscode.window.createTreeView(views.calls, { treeDataProvider, showCollapseAll: false }),
  );
  yield* useSubscription(() =>
    earlierWindows.subscribe(() => {
      const message = elsewhereText(earlierWindows.elsewhere(), vscode.l10n.t);
      if ((view.message ?? '') !== message) view.message = message;
    }),
  );
  yield* spawn(() => followProgress(calls, refresh));
  yield* useSubscription(() => history.subscribe(() => refresh()));
  // What can be done with a call that ended depends on its tool.
  let own = '';
  yield* useSubscription(() =>
    registry.subscribe(() => {
      const now = ownAmong(isOwn, calls, history);
      if (now !== own) refresh();
      own = now;
    }),
  );
  yield* useSubscription(() =>
    calls.subscribe(() => {
      refresh();
      const badge = badgeOf(calls);
      if (view.badge?.value !== badge?.value) view.badge = badge;
    }),
  );
}

/** Calls that wait for the person before those that run, and these before those that ended. */
function byUrgency(a: CallEntry, b: CallEntry): number {
  const rank = (entry: CallEntry) => (isAsking(entry) ? 0 : hasEnded(entry) ? 2 : 1);
  return rank(a) - rank(b);
}

/** One of an earlier window that is shown again stays where it was listed. */
function isOfWindow(entry: CallEntry): boolean {
  return entry.session() !== undefined || entry.record() === undefined || !hasEnded(entry);
}

function earlier(calls: CallList, history: CallHistory): readonly KeptCall[] {
  const own = new Set(calls.list().flatMap((entry) => entry.session()?.id ?? []));
  return history.list().filter(({ callId }) => !own.has(callId));
}

/** Which of the listed calls are of tools of the workspace. */
function ownAmong(isOwn: (toolName: string) => boolean, calls: CallList, history: CallHistory): string {
  const listed = [...calls.list(), ...history.list()].map(({ toolName }) => toolName);
  return [...new Set(listed)].filter(isOwn).sort().join(' ');
}

function isGroup(node: CallNode): node is Group {
  return typeof node === 'string';
}

/** Whether it is for the group of what waits, where there is one. */
function isWaiting(entry: CallEntry): boolean {
  return isAsking(entry) || entry.waiting()?.place?.isInterrupted === true;
}

/** All that waits for the person on this machine, the oldest first. */
function allWaiting(calls: CallList): readonly CallEntry[] {
  const since = (entry: CallEntry) =>
    entry.waiting()?.place?.since ?? entry.panel.store.get().question?.openedAt ?? 0;
  return calls
    .list()
    .filter(isWaiting)
    .sort((a, b) => since(a) - since(b));
}

function badgeOf(calls: CallList): vscode.ViewBadge | undefined {
  const unseen = waitingUnseen(calls).length;
  if (unseen === 0) return undefined;
  const tooltip =
    unseen === 1 ? vscode.l10n.t('1 question waiting') : vscode.l10n.t('{0} questions waiting', unseen);
  return { value: unseen, tooltip };
}

function itemOf(node: CallNode, isOwn: (toolName: string) => boolean): vscode.TreeItem {
  if (isGroup(node)) {
    const group =
      node === WAITING
        ? new vscode.TreeItem(vscode.l10n.t('Waiting'), vscode.TreeItemCollapsibleState.Expanded)
        : new vscode.TreeItem(vscode.l10n.t('Earlier'), vscode.TreeItemCollapsibleState.Collapsed);
    group.id = node;
    if (node === EARLIER) group.contextValue = treeItems.earlierCalls;
    return group;
  }
  if ('callId' in node) {
    const { waited, given = '', status } = node;
    const context = contextOfEnded(status, isOwn(node.toolName));
    return callItem(node, { call: node, given, waited, context });
  }
  const state = node.panel.store.get();
  const { call, question, end, timers } = state;
  return callItem(node, {
    call,
    given: givenTo(node),
    place: node.waiting()?.place,
    question: question?.message,
    progress: progressText(state),
    waited: timers.human.total,
    problem: end?.kind === 'error' ? end.error.message : undefined,
    context: contextOf(node, isOwn(node.toolName)),
  });
}

/** What a row says of a call. */
interface RowFacts {
  readonly call: CallInfo;
  /** Its parameters, in a line. */
  readonly given: string;
  /** Where it runs, of one of another program. */
  readonly place?: OtherPlace | undefined;
  readonly question?: string | undefined;
  readonly progress?: string | undefined;
  readonly waited: number;
  readonly problem?: string | undefined;
  readonly context: string;
}

function callItem(
  node: CallEntry | KeptCall,
  { call, given, place, question, progress, waited, problem = '', context }: RowFacts,
): vscode.TreeItem {
  const { asker, title } = call;
  const status = place?.isInterrupted ? vscode.l10n.t('interrupted') : statusText(call.status);
  const item = new vscode.TreeItem(title);
  item.id = 'id' in node ? node.id : `kept:${node.callId}`;
  const times = callTimes(call);
  const ended = times === undefined ? status : `${status}, ${times}`;
  const said = question === undefined ? progress : noticeText(plainLine(question));
  const now = said ? `${status}: ${said}` : ended;
  // The icon says how it stands.
  const seen = said || ended;
  // What tells it from others of its tool comes first, for the icon says how it stands; before that only what it asks or does just now.
  const line = said || given === '' ? [seen, given] : [given, seen];
  const since = place && vscode.l10n.t('since {0}', minuteText(place.since, Date.now()));
  const from = place && [basename(place.folder), since];
  item.description = [asker?.name, ...(from ?? []), ...line].filter(Boolean).join(' · ');
  item.iconPath = call.refused ? new vscode.ThemeIcon('pass') : icons[call.status];
  item.contextValue = context;
  const waiting =
    times === undefined || waited < 1000 ? '' : vscode.l10n.t('{0} waiting for you', durationText(waited));
  item.tooltip = tooltipOf(asker, [
    `${title} (${call.toolName})`,
    call.server === undefined ? '' : vscode.l10n.t('Tool of the MCP server “{0}”', call.server),
    asker ? vscode.l10n.t('Started by {0}', askerText(asker, vscode.l10n.t)) : '',
    place ? vscode.l10n.t('In {0}', place.folder) : '',
    since ?? '',
    given,
    question ?? (progress ? now : ended),
    waiting,
    problem,
  ]);
  item.command = { command: commands.revealCall, title: vscode.l10n.t('Show Call'), arguments: [node] };
  return spoken(item, said ? `${title}, ${status}` : title);
}

const givenTexts = new WeakMap<object, string>();

/** A call keeps what it was given, so it is read once. */
function givenTo(entry: CallEntry): string {
  const record = entry.record();
  if (!record) return '';
  const known = givenTexts.get(record) ?? givenText(record.params);
  givenTexts.set(record, known);
  return known;
}

/** The lines as they are, behind the icon of who asked. What tools and clients say is never Markdown here. */
function tooltipOf(asker: CallInfo['asker'], lines: readonly string[]): vscode.MarkdownString | string {
  const text = lines.filter((line) => line !== '');
  if (!asker) return text.join('\n');
  const tooltip = new vscode.MarkdownString(`$(${asker.icon}) `, true);
  return tooltip.appendText(text.join('\n'));
}

function contextOf(entry: CallEntry, own: boolean): string {
  const { status } = entry.panel.store.get().call;
  if (hasEnded(entry)) return contextOfEnded(status, own);
  if (status === 'preparing') return treeItems.formCall;
  const running = entry.asker.kind === 'person' ? treeItems.runningCall : treeItems.clientCall;
  return hasChanged(entry) ? running + treeItems.changedCall : running;
}

function contextOfEnded(status: CallStatus, own: boolean): string {
  const call = treeItems.finishedCall + (own ? treeItems.ownTool : '');
  if (status === 'completed') return call + treeItems.withResult;
  return call + (status === 'failed' ? treeItems.withError : '');
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
