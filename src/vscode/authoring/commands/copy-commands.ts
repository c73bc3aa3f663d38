import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import type { CallEntry } from '../../calls/call-entry.ts';
import type { CallList } from '../../calls/call-list.ts';
import { meantCall } from '../../calls/commands/meant-call.ts';
import type { FindCall } from '../../calls/history/call-finder.ts';
import { inform } from '../../calls/notices/inform.ts';
import { createLastParameters } from '../../calls/parameters/last-parameters.ts';
import { useExtension } from '../../contexts.ts';
import { type CommandId, commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { listedToolOf } from '../tools/tool-node.ts';

type Texts = typeof import('../../calls/copied-text.ts');

/** Copies what a call or a tool is about; in the menus of both views and of the run panel. */
export function* useCopyCommands(calls: CallList, find: FindCall): Operation<void> {
  const { workspaceState } = yield* useExtension();
  const callOf = (argument: unknown) => meantCall({ calls, find }, argument);
  const onCall = (id: CommandId, textOf: (entry: CallEntry, texts: Texts) => string | undefined) =>
    useCommand(id, function* (argument) {
      const entry = yield* callOf(argument);
      if (!entry) return;
      const text = textOf(entry, yield* fromThenable(import('../../calls/copied-text.ts')));
      // A result that was too long to be kept, or a call that has nothing yet.
      if (text === undefined) inform(vscode.l10n.t('“{0}” has nothing to copy here.', entry.title));
      yield* copy(text);
    });

  yield* useCommand(commands.copyToolName, function* (argument) {
    yield* copy(listedToolOf(argument)?.registered.name ?? (yield* callOf(argument))?.toolName);
  });
  yield* useCommand(commands.copyMcpCall, function* (argument) {
    const { mcpCallText, startedWith } = yield* fromThenable(import('../../calls/copied-text.ts'));
    const tool = listedToolOf(argument)?.registered.name;
    if (tool !== undefined) {
      return yield* copy(mcpCallText(tool, createLastParameters(workspaceState).get(tool) ?? {}));
    }
    const entry = yield* callOf(argument);
    if (entry) yield* copy(mcpCallText(entry.toolName, startedWith(entry) ?? {}));
  });
  yield* onCall(commands.copyParameters, (entry, { startedWith }) =>
    JSON.stringify(startedWith(entry) ?? {}, null, 2),
  );
  yield* onCall(commands.copyResult, (entry, { endText }) => endText(entry, 'result'));
  yield* onCall(commands.copyTranscript, (entry, { transcriptJson }) => {
    const record = entry.record();
    return record && transcriptJson(entry.title, record);
  });
  yield* onCall(commands.copyError, (entry, { endText }) => endText(entry, 'error'));
}

function* copy(text: string | undefined): Operation<void> {
  if (text === undefined) return;
  yield* fromThenable(vscode.env.clipboard.writeText(text));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 2_000);
}
