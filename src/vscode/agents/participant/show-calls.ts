import * as vscode from 'vscode';
import { type CallEntry, hasEnded } from '../../calls/call-entry.ts';
import { buttonText } from '../../calls/escaped-markdown.ts';
import { commands } from '../../ids.ts';
import { callsMarkdown } from './lists.ts';

/** Buttons that fit below a list. */
const mostButtons = 5;

/** `/runs`: the calls of this window, with a button for each that has not ended. */
export function showCalls(stream: vscode.ChatResponseStream, entries: readonly CallEntry[]): void {
  stream.markdown(callsMarkdown(entries, vscode.l10n.t));
  for (const entry of entries.filter((one) => !hasEnded(one)).slice(0, mostButtons)) {
    stream.button({
      command: commands.revealCall,
      title: vscode.l10n.t('Show {0}', buttonText(entry.title)),
      arguments: [entry.id],
    });
  }
}
