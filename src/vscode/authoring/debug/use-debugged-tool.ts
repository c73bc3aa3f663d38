import { join } from 'node:path';
import { ensure, type Operation } from 'effection';
import * as vscode from 'vscode';
import { pluginOf, toolOf } from '../../../core/plugin/offer.ts';
import { createDebuggedTool, originOf } from '../../../isolation/host-side/realms/debugged-tool.ts';
import { launchProcess } from '../../../isolation/transport/launch-process.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { useDisposable } from '../../bridge.ts';
import { titleOf } from '../../calls/call-entry.ts';
import type { CallList } from '../../calls/call-list.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import { createDebuggedProcess } from './debugged-process.ts';
import type { LoadedFolders } from './loaded-folders.ts';

/** What debugging takes. */
export interface DebugParts {
  readonly calls: CallList;
  readonly folders: LoadedFolders;
}

/** How long the debugger may take until the tool's process has called, in milliseconds. */
const PATIENCE = 60_000;

/**
 * A tool whose calls run under the debugger, for as long as the caller lives: then the debug session is stopped.
 *
 * @throws where the tool has no code to debug: it is Parley's own, or its file no longer loads
 */
export function* useDebuggedTool(
  registered: RegisteredTool,
  { calls, folders }: DebugParts,
): Operation<RegisteredTool> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { extensionUri } = yield* useExtension();
  const title = titleOf(registered.tool);
  const offer = registered.plugin ?? registered.tool;
  const origin = originOf(offer, folders.list());
  if (!origin) throw new Error(reason(registered, title));
  const debugging = yield* useDisposable(() =>
    createDebuggedProcess({
      title,
      folder: origin.snapshot.options.folder,
      program: join(extensionUri.fsPath, 'dist', 'tool-debug.js'),
      onPaused: edge.guard('a tool that stands at a line', (isPaused: boolean) =>
        entryOf()?.panel.store.dispatch({
          type: 'pause',
          pause: isPaused ? { message: vscode.l10n.t('Paused in the debugger') } : undefined,
          waits: isPaused,
          time: Date.now(),
        }),
      ),
    }),
  );
  const entryOf = () => calls.list().find((entry) => entry.tool === toolOf(debugged.tool));
  const stopCall = (why: string) => {
    const session = entryOf()?.session();
    if (session) edge.fork(`stopping ${title}`, () => session.abort(vscode.l10n.t('Ended: {0}.', why)));
  };
  const debugged = createDebuggedTool(offer, origin, {
    launch: () => launchProcess(debugging, { patience: PATIENCE, onLost: stopCall }),
    diagnose: (message, cause) => log.warn(`a tool that is debugged: ${message}`, cause),
  });
  yield* ensure(() => debugged.retire());
  return { ...registered, tool: toolOf(debugged.tool), plugin: pluginOf(debugged.tool) };
}

function reason({ source }: RegisteredTool, title: string): string {
  return source.kind === 'workspace'
    ? vscode.l10n.t('Fix the errors in “{0}” first. It cannot be debugged with errors.', title)
    : vscode.l10n.t('“{0}” cannot be debugged. Only tools in a workspace folder can.', title);
}
