import { join } from 'node:path';
import { createSignal, type Operation, spawn } from 'effection';
import type * as vscode from 'vscode';
import { FaultsContext } from '../runtime/session/faults.ts';
import { createStackMaps } from '../workspace/load/stack-maps.ts';
import { createToolRegistry } from '../workspace/registry/registry.ts';
import type { ParleyExports } from './agents/api/api.ts';
import { createExports } from './agents/api/create-api.ts';
import { useLanguageModelTools } from './agents/lm/language-model-tools.ts';
import { useOwnModelProvider } from './agents/lm/own-model-provider.ts';
import { useMcp } from './agents/mcp/use-mcp.ts';
import { useParticipant } from './agents/participant/participant.ts';
import { useCopyCommands } from './authoring/commands/copy-commands.ts';
import { useDebugToolCommand } from './authoring/commands/debug-tool.ts';
import { useNewToolCommand } from './authoring/commands/new-tool.ts';
import { useReloadToolsCommand } from './authoring/commands/reload-tools.ts';
import { useSetUpTypes } from './authoring/commands/set-up-types.ts';
import { useTryOutCommand } from './authoring/commands/try-out.ts';
import { createLoadedFolders } from './authoring/debug/loaded-folders.ts';
import { usePinCommands } from './authoring/pins/pin-commands.ts';
import { createPins } from './authoring/pins/pins.ts';
import { useRunToolCommand } from './authoring/run/run-tool.ts';
import { useRunOn } from './authoring/run-on/use-run-on.ts';
import { useTasks } from './authoring/tasks/tasks.ts';
import { keepTests } from './authoring/tests/keep-tests.ts';
import { useContextKeys } from './authoring/tools/context-keys.ts';
import { useProblems } from './authoring/tools/problems.ts';
import { useToolLenses } from './authoring/tools/tool-lenses.ts';
import { useToolsView } from './authoring/tools/tools-view.ts';
import { useAddExampleCommand } from './authoring/workspace/add-example.ts';
import { useAuthorKits } from './authoring/workspace/author-kits.ts';
import { keepShippedTools } from './authoring/workspace/shipped-tools.ts';
import { useViewsFolder } from './authoring/workspace/views-folder.ts';
import { keepWorkspaceTools } from './authoring/workspace/workspace-tools.ts';
import { fromThenable, useBoundary } from './bridge.ts';
import { createCallList } from './calls/call-list.ts';
import { useCallCommands } from './calls/commands/call-commands.ts';
import { useSimpleCommands } from './calls/commands/simple-commands.ts';
import type { CallDesk } from './calls/desk.ts';
import { lendAbilities } from './calls/editor/lend-abilities.ts';
import { createCallFinder } from './calls/history/call-finder.ts';
import { useHistoryCommands } from './calls/history/history-commands.ts';
import { useHistory } from './calls/history/use-history.ts';
import { listOthers } from './calls/inbox/list-others.ts';
import { useWindowInbox } from './calls/inbox/window-inbox.ts';
import { type Lazy, useLazy } from './calls/lazy.ts';
import { useCallsView } from './calls/list/calls-view.ts';
import { useWaitingItem } from './calls/notices/waiting-item.ts';
import { useEarlierWindows } from './calls/ongoing/earlier-windows.ts';
import { useNewVersions } from './calls/ongoing/new-versions.ts';
import { useRevivedPanels } from './calls/panel/revived-panels.ts';
import { createToolPort } from './calls/run/tool-port.ts';
import { useAddModelCommand } from './calls/sampler/add-model-command.ts';
import { useChooseModelCommand } from './calls/sampler/choose-model-command.ts';
import { useTranscripts } from './calls/transcript/use-transcripts.ts';
import { EdgeContext, ExtensionHome, LogContext, PanelKeyboardContext, useOwnEdge } from './contexts.ts';
import { useLogChannel } from './log/channel.ts';
import type { WindowServers } from './servers/keep-servers.ts';
import { createServerBook } from './servers/server-book.ts';
import { useServerCommands } from './servers/server-commands.ts';
import { useServerContexts } from './servers/server-contexts.ts';
import { keepTrustedServers } from './servers/sources/keep-trusted-servers.ts';

/**
 * Puts Parley together: first what everything shares, then each contribution inside its own boundary, so that one that
 * fails takes nothing else with it. Everything lives in the caller's scope. What it gives is for other extensions.
 */
export function* useParley(context: vscode.ExtensionContext): Operation<ParleyExports> {
  const stackMaps = createStackMaps();
  const log = yield* LogContext.set(yield* useLogChannel(stackMaps));
  yield* EdgeContext.set(yield* useOwnEdge());
  yield* ExtensionHome.set(context);
  yield* PanelKeyboardContext.set(createSignal<void, never>());
  yield* FaultsContext.set(({ toolName, message, cause }) =>
    log.warn(`${toolName ?? 'Parley'}: ${message}`, cause),
  );
  yield* lendAbilities();

  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const viewsDir = yield* useViewsFolder(storage);
  const buildsDir = join(storage, 'builds');
  const tools = createToolPort(createToolRegistry());
  const calls = createCallList();
  const folders = createLoadedFolders();
  const history = yield* useHistory();
  const inbox = yield* useWindowInbox();
  const desk: Lazy<CallDesk> = yield* useLazy(function* () {
    const { useDesk } = yield* fromThenable(import('./calls/desk.ts'));
    return yield* useDesk({
      ...{ calls, history, inbox, registry: tools.registry, tools, viewsDir, stackMaps },
      known: (callId) => earlier.known(callId),
    });
  });

  const servers = createServerBook<WindowServers>();
  yield* useServerContexts({ servers, desk, registry: tools.registry });

  const find = createCallFinder(calls, history, desk);

  const contribute = (name: string, setup: () => Operation<unknown>) =>
    useBoundary(setup, (error) => log.error(`${name} is not available`, error));
  const pins = createPins(context.workspaceState);
  yield* contribute('Run Tool…', () => useRunToolCommand({ desk, calls, tools, find }));
  yield* contribute('Run Tool on Selection or File…', () => useRunOn({ desk, calls, tools, find }));
  yield* contribute('tasks that run tools', () => useTasks({ desk, calls, tools, find }));
  yield* contribute('Try a Tool That Asks', () => useTryOutCommand({ desk }));
  yield* contribute('Debug Tool…', () => useDebugToolCommand({ desk, calls, tools, find, folders }));
  yield* contribute('New Tool…', function* () {
    const kits = yield* useAuthorKits();
    yield* useNewToolCommand(tools, kits);
    yield* useAddExampleCommand(tools, kits);
    yield* useSetUpTypes(kits);
    yield* contribute('tests of tools', () => spawn(() => keepTests(kits, tools)));
  });
  yield* contribute('Reload Tools', () => useReloadToolsCommand(tools));
  yield* contribute('commands on calls', () => useCallCommands(calls, find));
  yield* contribute('copying', () => useCopyCommands(calls, find));
  yield* contribute('the history of calls', () => useHistoryCommands(calls, history));
  const earlier = yield* useEarlierWindows(history, desk);
  yield* contribute('calls of earlier windows', () => useRevivedPanels(calls, find, earlier));
  if (inbox) yield* contribute('calls of other programs', () => spawn(() => listOthers(inbox, desk)));
  yield* contribute('new versions of tools', () => useNewVersions({ desk, calls, tools, find }));
  yield* contribute('the number of questions', () => useWaitingItem(calls));
  yield* contribute('Show Transcript', () => useTranscripts(calls, find));
  yield* contribute('Choose Model for Tools…', () => useChooseModelCommand());
  yield* contribute('Add Model…', () => useAddModelCommand());
  yield* contribute('models of your own in the chat', () => useOwnModelProvider());
  yield* contribute('commands', () => useSimpleCommands());
  yield* contribute('the Calls view', () => useCallsView(calls, tools.registry, history, earlier));
  yield* contribute('pinned tools', () => usePinCommands(pins, tools.registry));
  yield* contribute('the Tools view', () => useToolsView(tools, pins, servers));
  yield* contribute('lenses on tools', () => useToolLenses(tools.registry));
  yield* contribute('problems of tools', () => useProblems(tools.registry));
  yield* contribute('context keys', () => useContextKeys(calls, tools.registry, servers, history));
  yield* contribute('commands on MCP servers', () => useServerCommands(servers, desk));
  yield* contribute('tools for the agent', () => useLanguageModelTools(desk));
  yield* contribute('the MCP server', () => useMcp({ desk, tools, find, servers, earlier }));
  yield* contribute('@parley', () => useParticipant({ desk, tools, calls, history, earlier }));
  yield* contribute('the tools of Parley', () => spawn(() => keepShippedTools(tools)));
  yield* contribute('tools of the workspace', () =>
    spawn(() => keepWorkspaceTools({ port: tools, stackMaps, folders, viewsDir, buildsDir })),
  );
  yield* contribute('MCP servers', () => spawn(() => keepTrustedServers(servers, tools)));
  return createExports(tools.registry);
}
