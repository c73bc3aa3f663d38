import { join } from 'node:path';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useEdge, useHome } from '../contexts.ts';
import { commands, type SettingId } from '../ids.ts';
import type { Lazy } from '../lazy.ts';
import type { EarlierWindows } from '../ongoing/earlier-windows.ts';
import type { WindowServers } from '../servers/keep-servers.ts';
import type { ServerBook } from '../servers/server-book.ts';
import { setting } from '../setting.ts';
import type { ToolPort } from '../workspace/tool-port.ts';
import { isShared } from './access.ts';
import { useMcpDefinitions } from './definition-provider.ts';
import { gatewayOffers } from './gateway-offers.ts';
import { useMcpCommands } from './mcp-commands.ts';
import { useWindowServer } from './window-server.ts';

/** The window's MCP server: announced to Copilot, and to other clients by hand. */
export function* useMcp(
  desk: Lazy<CallDesk>,
  tools: ToolPort,
  servers: ServerBook<WindowServers>,
  earlier: EarlierWindows,
): Operation<void> {
  const edge = yield* useEdge();
  const { extensionUri, workspaceState } = yield* useHome();
  const onOffering = (listener: () => void) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (offeringSettings.some((id) => change.affectsConfiguration(id))) listener();
    });
    return () => subscription.dispose();
  };
  const offers = gatewayOffers(
    {
      of: (name) => servers.keeper()?.unit(name)?.servers,
      subscribe: (listener) => servers.subscribe(listener),
    },
    () => setting('parley.gateway.servers'),
    onOffering,
  );
  const server = yield* useWindowServer({
    desk,
    earlier: earlier.known,
    registry: tools.registry,
    t: vscode.l10n.t,
    onTaken: (port) => edge.fork('a message', () => sayTaken(port)),
    offering: () => ({
      questions: setting('parley.questions.agent'),
      gateway: setting('parley.gateway.servers'),
    }),
    codeMode: () => setting('parley.codeMode'),
    sandbox: {
      worker: join(extensionUri.fsPath, 'dist', 'code-worker.js'),
      wasm: join(extensionUri.fsPath, 'dist', 'quickjs.wasm'),
    },
    onOffering,
    offers,
    *pages(loaded) {
      const { useChatPages } = yield* fromThenable(import('./chat-pages.ts'));
      return yield* useChatPages(tools, loaded);
    },
    surfaces: () => ({
      elicitation: setting('parley.elicitation.surface'),
      sampling: setting('parley.sampling.surface'),
    }),
  });
  yield* useMcpDefinitions(tools, offers, server);
  yield* useMcpCommands(server);
  // Somebody has this address in a configuration: it works again after a reload.
  if (isShared(workspaceState)) edge.fork('serving MCP clients', server.listen);
}

/** What clients are offered depends on them. */
const offeringSettings: readonly SettingId[] = [
  'parley.questions.agent',
  'parley.gateway.servers',
  'parley.codeMode',
];

/** Clients that were configured for this workspace would talk to somebody else. */
function* sayTaken(port: number): Operation<void> {
  const copy = vscode.l10n.t('Copy New Configuration…');
  const text = vscode.l10n.t(
    'Another program has port {0}, where MCP clients of this workspace look for Parley, and may have seen their token. Parley has another port and a new token now: configure your clients again.',
    port,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(text, copy));
  if (pressed === copy) yield* fromThenable(vscode.commands.executeCommand(commands.copyMcpConfiguration));
}
