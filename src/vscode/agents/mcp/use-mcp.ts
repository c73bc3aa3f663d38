import { join } from 'node:path';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { caughtUp } from '../../authoring/workspace/caught-up.ts';
import { fromThenable, useListener } from '../../bridge.ts';
import type { CallDesk } from '../../calls/desk.ts';
import type { FindCall } from '../../calls/history/call-finder.ts';
import type { Lazy } from '../../calls/lazy.ts';
import type { EarlierWindows } from '../../calls/ongoing/earlier-windows.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useEdge, useExtension } from '../../contexts.ts';
import { commands, type SettingId } from '../../ids.ts';
import type { WindowServers } from '../../servers/keep-servers.ts';
import type { ServerBook } from '../../servers/server-book.ts';
import { setContextKey } from '../../set-context-key.ts';
import { setting } from '../../setting.ts';
import { declaredTools } from '../lm/invocation.ts';
import { isShared } from './access.ts';
import { useMcpDefinitions } from './definition-provider.ts';
import { keptState } from './kept-state.ts';
import { useMcpCommands } from './mcp-commands.ts';
import { gatewayOffers } from './offers/gateway-offers.ts';
import { type ShippedOverMcp, useShippedOverMcp } from './offers/shipped-over-mcp.ts';
import { useWindowServer } from './window-server.ts';

/** What the window's MCP server works with. */
export interface McpParts {
  readonly desk: Lazy<CallDesk>;
  readonly tools: ToolPort;
  readonly find: FindCall;
  readonly servers: ServerBook<WindowServers>;
  readonly earlier: EarlierWindows;
}

/** The window's MCP server: announced to Copilot, and to other clients by hand. */
export function* useMcp({ desk, tools, find, servers, earlier }: McpParts): Operation<void> {
  const edge = yield* useEdge();
  const home = yield* useExtension();
  const { extensionUri } = home;
  const onOffering = (listener: () => void) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (offeringSettings.some((id) => change.affectsConfiguration(id))) listener();
    });
    return () => subscription.dispose();
  };
  const shipped = yield* useShipped();
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
    catchUp: (name) => caughtUp(tools, name),
    registry: tools.registry,
    t: vscode.l10n.t,
    onTaken: (port) => edge.fork('a message', () => sayTaken(port)),
    offering: () => ({
      shipped: shipped.now(),
      gateway: setting('parley.gateway.servers'),
    }),
    codeMode: () => setting('parley.codeMode'),
    sandbox: {
      worker: join(extensionUri.fsPath, 'dist', 'code-worker.js'),
      wasm: join(extensionUri.fsPath, 'dist', 'quickjs.wasm'),
    },
    onOffering(listener) {
      const stops = [onOffering(listener), shipped.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    onListed: shipped.listed,
    offers,
    *pages(loaded) {
      const { useChatPages } = yield* fromThenable(import('./pages/chat-pages.ts'));
      return yield* useChatPages({ tools, desk: loaded, find, earlier });
    },
    surfaces: () => ({
      elicitation: setting('parley.elicitation.surface'),
      sampling: setting('parley.sampling.surface'),
      agent: setting('parley.questions.agent'),
    }),
  });
  // Other clients need nothing of an editor's own chat.
  yield* useMcpCommands(server);
  // A client has this address in its configuration: it works again after a reload.
  if (isShared(keptState(home))) edge.fork('serving MCP clients', server.listen);
  yield* useMcpDefinitions(tools, offers, server, shipped);
}

/** What clients are offered depends on them. */
const offeringSettings: readonly SettingId[] = ['parley.gateway.servers', 'parley.codeMode'];

/** The shipped tools by MCP or by the manifest, as `parley.questions.agent` says. */
function* useShipped(): Operation<ShippedOverMcp> {
  const { extension } = yield* useExtension();
  const names = declaredTools(extension.packageJSON);
  // A second server of that name gets a number in its tools' names.
  const known = new RegExp(`^mcp_parley\\d*_(${names.join('|')})$`);
  return yield* useShippedOverMcp({
    wanted: () => setting('parley.questions.agent') !== 'panel',
    onWanted: (changed) => useListener(vscode.workspace.onDidChangeConfiguration, changed),
    holdBack: (held) => setContextKey('parley.shippedOverMcp', held),
    known: () => vscode.lm?.tools?.some(({ name }) => known.test(name)) ?? false,
  });
}

/** Clients that were configured for this workspace would talk to another program. */
function* sayTaken(port: number): Operation<void> {
  const copy = vscode.l10n.t('Copy New Configuration…');
  const text = vscode.l10n.t(
    'Another program is using port {0}, where MCP clients of this workspace connect to Parley, and may have received their token. Parley now uses another port and a new token. Configure your clients again.',
    port,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(text, copy));
  if (pressed === copy) yield* fromThenable(vscode.commands.executeCommand(commands.copyMcpConfiguration));
}
