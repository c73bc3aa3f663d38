import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { fromThenable, useSubscription } from '../../bridge.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { type CallEntry, hasChanged, hasEnded, NEW_VERSION } from '../call-entry.ts';
import { meantCall, sayEnded } from '../commands/meant-call.ts';
import type { RunToolParts } from '../run/run-for-person.ts';
import { hasAnother, offerOf, sayChanged } from './versions.ts';

/**
 * **Continue with the New Version**: a call whose tool was changed and saved meanwhile goes on with what the file says now. Its panel
 * and its row offer that; until somebody wants it, it goes on with the version that it has.
 */
export function* useNewVersions(parts: RunToolParts): Operation<void> {
  const { calls, tools } = parts;
  // Where it comes from. A call that is debugged runs a copy of its own, which is no older version.
  const sources = new WeakMap<AnyPlugin | AnyTool, string>();
  const note = () => {
    for (const tool of tools.registry.list()) sources.set(offerOf(tool), tool.source.id);
  };
  note();
  yield* useSubscription(() =>
    tools.registry.subscribe((change) => {
      if (!change.tools) return;
      note();
      for (const entry of calls.list()) {
        const session = entry.session();
        const source = session && sources.get(offerOf(session));
        if (source === undefined || hasEnded(entry)) continue;
        const now = tools.registry.get(entry.toolName);
        // Where its file is away, another folder may have a tool of that name.
        if (now?.source.id === source) offerChange(entry, now);
        else if (hasChanged(entry)) sayChanged(entry);
      }
    }),
  );
  yield* useCommand(commands.continueWithNewVersion, function* (argument) {
    const entry = yield* meantCall(parts, argument);
    if (!entry) return;
    if (hasEnded(entry)) return sayEnded(entry);
    // One of an earlier window has its own way.
    if (!entry.session()) return entry.act(NEW_VERSION);
    const { goOnWithNewVersion } = yield* fromThenable(import('./go-on-with-new-version.ts'));
    yield* goOnWithNewVersion(parts, entry);
  });
}

function offerChange(entry: CallEntry, registered: RegisteredTool): void {
  if (registered.source.kind !== 'workspace') return;
  if (!hasAnother(entry, registered)) {
    if (hasChanged(entry)) sayChanged(entry);
    return;
  }
  const changed = vscode.l10n.t('The tool was edited. This call keeps using the version it started with.');
  sayChanged(entry, changed, vscode.l10n.t('Continue with the New Version'));
}
