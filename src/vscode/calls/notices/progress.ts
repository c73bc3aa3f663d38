import { action, type Operation, race, scoped, sleep } from 'effection';
import * as vscode from 'vscode';
import { defined } from '../../../core/schema/defined.ts';
import type { RowOf } from '../../../panel-port/index.ts';
import { useDisposable, useSubscription } from '../../bridge.ts';
import type { CallEntry } from '../call-entry.ts';

/** Milliseconds that a call works unseen before a notification says so. */
const patience = 1000;

/**
 * Shows a cancellable notification while the call works and its panel is out of sight: from a second on, and not while a
 * person is asked. Runs until it is halted.
 */
export function* keepProgressShown(entry: CallEntry): Operation<never> {
  for (;;) {
    yield* until(entry, worksUnseen);
    const waited = yield* race([after(patience, true), after(until(entry, seenOrIdle), false)]);
    if (waited) yield* scoped(() => showProgress(entry));
  }
}

function worksUnseen({ panel }: CallEntry): boolean {
  return panel.store.get().call.status === 'running' && !panel.visible;
}

function seenOrIdle(entry: CallEntry): boolean {
  return !worksUnseen(entry);
}

function* after<T>(wait: number | Operation<void>, value: T): Operation<T> {
  yield* typeof wait === 'number' ? sleep(wait) : wait;
  return value;
}

function* showProgress(entry: CallEntry): Operation<void> {
  const { store } = entry.panel;
  const end = Promise.withResolvers<void>();
  // Resolving its promise is how a notification of VS Code ends.
  yield* useDisposable(() => ({ dispose: () => end.resolve() }));
  const report = yield* shown(entry, end.promise);
  let reported = 0;
  const update = () => {
    const row = store.get().rows.findLast((candidate) => candidate.type === 'progress');
    const percent = row ? percentOf(row) : undefined;
    report({
      ...defined({ message: row?.message }),
      ...(percent === undefined || percent <= reported ? {} : { increment: percent - reported }),
    });
    reported = Math.max(reported, percent ?? 0);
  };
  update();
  yield* useSubscription(() => store.subscribe(update));
  yield* until(entry, seenOrIdle);
}

type Report = vscode.Progress<{ message?: string; increment?: number }>['report'];

function shown(entry: CallEntry, end: Promise<void>): Operation<Report> {
  return action((resolve) => {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: entry.title,
      cancellable: true,
    };
    void vscode.window.withProgress(options, async (progress, token) => {
      const subscription = token.onCancellationRequested(entry.abort);
      resolve((step) => progress.report(step));
      await end;
      subscription.dispose();
    });
    return () => {};
  });
}

function percentOf(row: RowOf<'progress'>): number | undefined {
  if (row.value === undefined || row.done) return undefined;
  const fraction = row.total === undefined ? row.value : row.total > 0 ? row.value / row.total : 0;
  return Math.min(100, Math.max(0, fraction * 100));
}

/** Waits until the entry is as `test` says. */
export function until(entry: CallEntry, test: (entry: CallEntry) => boolean): Operation<void> {
  return action((resolve) => {
    const look = () => {
      if (test(entry)) resolve();
    };
    const stops = [entry.panel.store.subscribe(look), entry.panel.subscribe(look)];
    look();
    return () => {
      for (const stop of stops) stop();
    };
  });
}
