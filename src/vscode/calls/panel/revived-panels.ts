import { type Operation, sleep, spawn } from 'effection';
import * as vscode from 'vscode';
import { useDisposable } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { panelType } from '../../ids.ts';
import { hasEnded } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { FindCall } from '../history/call-finder.ts';
import type { EarlierWindows } from '../ongoing/earlier-windows.ts';
import { runTabs } from './tabs/run-tabs.ts';
import { isTitled } from './tabs/tab-title.ts';

/**
 * Gives run panels back to their calls: after a reload, the editor brings each when its tab is shown. The page says which call it
 * was of; a panel whose call is not here is closed.
 */
export function* useRevivedPanels(calls: CallList, find: FindCall, earlier: EarlierWindows): Operation<void> {
  const edge = yield* useEdge();
  const revive = function* (panel: vscode.WebviewPanel, callId: unknown): Operation<void> {
    if (typeof callId !== 'string' || callId === '') return void panel.dispose();
    yield* earlier.known(callId);
    const entry = yield* find(callId);
    if (entry) entry.panel.adopt(panel);
    else panel.dispose();
  };
  yield* useDisposable(() =>
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: (panel, state: unknown) =>
        edge.promise(() => revive(panel, (state as { call?: unknown } | null)?.call)),
    }),
  );
  yield* spawn(function* () {
    // Only then one knows what waits: on a busy machine that takes longer than the editor may.
    yield* earlier.looked();
    yield* sleep(PATIENCE);
    replaceDead(calls);
  });
}

/** The editor brings a tab that is on show at once: one that has not come by then never does, in milliseconds. */
const PATIENCE = 2_500;

/**
 * When the extension host dies alone, its tabs stay, and nobody is behind them: the editor does not bring those. One on show
 * gives way to a panel of the call that waits under its title, or ended with its window.
 */
function replaceDead(calls: CallList): void {
  for (const tab of runTabs().filter(({ isActive }) => isActive)) {
    const column = tab.group.viewColumn;
    const all = calls.list();
    if (all.some(({ panel }) => panel.visible && panel.place?.column === column)) continue;
    const dead = all.filter(
      (one) => isTitled(tab.label, one.title) && !one.panel.open && !one.session()?.ended(),
    );
    const entry = dead.find((one) => !hasEnded(one)) ?? dead[0];
    if (!entry) continue;
    entry.panel.replace(column);
    void vscode.window.tabGroups.close(tab, true);
  }
}
