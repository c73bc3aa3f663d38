import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { timeText } from '../../../panel-port/times.ts';
import { fromThenable, useDisposable, useSubscription } from '../../bridge.ts';
import { useEdge } from '../../contexts.ts';
import { commands, transcriptScheme } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { shownAsker } from '../asker.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { meantCall } from '../commands/meant-call.ts';
import type { FindCall } from '../history/call-finder.ts';
import { transcriptOf } from './transcript.ts';

/** How long changes of a running call are gathered before its transcript is drawn again, in milliseconds. */
const patience = 250;

/** Shows Markdown as it is meant to be read. A part of VS Code that may be switched off. */
const SHOW_PREVIEW = 'markdown.showPreview';
const REFRESH_PREVIEWS = 'markdown.preview.refresh';

/**
 * **Parley: Show Transcript**: a read-only document with everything that happened in a call, rendered. That of a running
 * call grows while it is open.
 */
export function* useTranscripts(calls: CallList, find: FindCall): Operation<void> {
  const changes = yield* useDisposable(() => new vscode.EventEmitter<vscode.Uri>());
  yield* useDisposable(() =>
    vscode.workspace.registerTextDocumentContentProvider(transcriptScheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: (uri) => textFor(calls.get(uri.query)),
    }),
  );
  const edge = yield* useEdge();
  /** Calls that run, and whose transcript was shown rendered. */
  const growing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const redraw = () => {
    timer = undefined;
    const open = new Set<string>();
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== transcriptScheme || !calls.get(uri.query)) continue;
      open.add(uri.query);
      changes.fire(uri);
    }
    // A preview does not keep its document open for ever.
    const closed = [...growing].filter((id) => !open.has(id));
    if (closed.length > 0) {
      edge.fork('refreshing transcripts', () =>
        fromThenable(vscode.commands.executeCommand(REFRESH_PREVIEWS)),
      );
    }
    for (const id of growing) if (!isRunning(calls.get(id))) growing.delete(id);
  };
  yield* useSubscription(() =>
    calls.subscribe(() => {
      timer ??= setTimeout(redraw, patience);
    }),
  );
  yield* useDisposable(() => ({ dispose: () => clearTimeout(timer) }));

  yield* useCommand(commands.showTranscript, function* (argument) {
    const entry = yield* meantCall({ calls, find }, argument);
    if (!entry) return;
    const document = yield* fromThenable(vscode.workspace.openTextDocument(uriOf(entry)));
    try {
      yield* fromThenable(vscode.commands.executeCommand(SHOW_PREVIEW, document.uri));
      if (isRunning(entry)) growing.add(entry.id);
    } catch {
      // Nobody here renders Markdown.
      yield* fromThenable(vscode.window.showTextDocument(document, { preview: true }));
    }
  });
}

function isRunning(entry: CallEntry | undefined): boolean {
  return entry !== undefined && entry.panel.store.get().call.endedAt === undefined;
}

function uriOf(entry: CallEntry): vscode.Uri {
  const started = timeText(entry.record()?.startedAt ?? 0).replaceAll(':', '.');
  const name = entry.title.replaceAll(/[\\/:*?"<>|#%]/g, ' ').trim();
  return vscode.Uri.from({ scheme: transcriptScheme, path: `/${name} ${started}.md`, query: entry.id });
}

function textFor(entry: CallEntry | undefined): string {
  const record = entry?.record();
  if (!entry || !record) return vscode.l10n.t('This call is no longer available.');
  const { id: callId, toolName, params, startedAt } = record;
  const { title } = entry;
  const { call, timers } = entry.panel.store.get();
  return transcriptOf(
    {
      title,
      toolName,
      callId,
      asker: shownAsker(entry.asker),
      status: call.status,
      params,
      startedAt,
      waited: timers.human.total,
      events: record.events(),
    },
    vscode.l10n.t,
  );
}
