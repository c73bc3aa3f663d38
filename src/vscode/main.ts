import { join } from 'node:path';
import { type Operation, spawn, useScope } from 'effection';
import * as vscode from 'vscode';
import { DiagnosticsContext } from '../runtime/diagnostics.ts';
import { createSessionManager } from '../runtime/session-manager.ts';
import { createToolRegistry } from '../workspace/registry.ts';
import { createStackMaps } from '../workspace/stack-maps.ts';
import { createEdge, useBoundary } from './bridge.ts';
import { useAttention } from './calls/attention.ts';
import { createCallList } from './calls/call-list.ts';
import { createCallDesk } from './calls/desk.ts';
import { createEndActions } from './calls/end-actions.ts';
import { createLastParameters } from './calls/last-parameters.ts';
import { useCallCommands } from './commands/call-commands.ts';
import { useChooseModelCommand } from './commands/choose-model.ts';
import { useRunToolCommand } from './commands/run-tool.ts';
import { useSimpleCommands } from './commands/simple-commands.ts';
import { useLog } from './log/channel.ts';
import { createPanelHost } from './panel/panel-host.ts';
import { createSampler } from './sampler/sampler.ts';
import { createToolPort } from './tools/tool-port.ts';
import { keepWorkspaceTools } from './tools/workspace-tools.ts';
import { useCallsView } from './trees/calls-view.ts';
import { useContextKeys } from './trees/context-keys.ts';
import { useProblems } from './trees/problems.ts';
import { useToolsView } from './trees/tools-view.ts';

/**
 * Puts Parley together: first what everything shares, then each contribution inside its own boundary, so that one that
 * fails takes nothing else with it. Everything lives in the caller's scope.
 */
export function* useParley(context: vscode.ExtensionContext): Operation<void> {
  const stackMaps = createStackMaps();
  const log = yield* useLog(stackMaps);
  const edge = createEdge(yield* useScope(), (what, error) => log.error(`Failed: ${what}`, error));
  yield* DiagnosticsContext.set(({ toolName, message, cause }) =>
    log.warn(`${toolName ?? 'Parley'}: ${message}`, cause),
  );

  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const viewsDir = join(storage, 'views', vscode.env.sessionId);
  const tools = createToolPort(createToolRegistry());
  const calls = createCallList();
  const desk = createCallDesk({
    calls,
    edge,
    log,
    manager: yield* createSessionManager(),
    panels: createPanelHost({ edge, log, context, viewsDir, registry: tools.registry }),
    sampler: createSampler(context.languageModelAccessInformation, log),
    attention: yield* useAttention(calls, edge),
    lastParameters: createLastParameters(context.workspaceState),
    onAction: createEndActions(edge),
  });

  const contribute = (name: string, setup: () => Operation<unknown>) =>
    useBoundary(setup, (error) => log.error(`${name} is not available`, error));
  yield* contribute('Run Tool…', () => useRunToolCommand(edge, desk, tools, log));
  yield* contribute('commands on calls', () => useCallCommands(edge, desk));
  yield* contribute('Choose Sampling Model…', () => useChooseModelCommand(edge));
  yield* contribute('commands', () => useSimpleCommands(edge, log, context.extension.id));
  yield* contribute('the Calls view', () => useCallsView(calls));
  yield* contribute('the Tools view', () => useToolsView(tools.registry));
  yield* contribute('problems of tools', () => useProblems(tools.registry));
  yield* contribute('context keys', () => useContextKeys(calls, edge));
  yield* contribute('tools of the workspace', () =>
    spawn(() =>
      keepWorkspaceTools({ port: tools, log, stackMaps, viewsDir, extensionUri: context.extensionUri }),
    ),
  );
}
