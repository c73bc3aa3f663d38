import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { asLabel } from '../../../core/messages/label.ts';
import { useDisposable, useListener, useSubscription } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useEdge, useExtension, versionOfParley } from '../../contexts.ts';
import { hasApi } from '../../has-api.ts';
import { mcpProvider } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { offeredTools, versionOf } from './offers/dynamic-tools.ts';
import { type GatewayOffers, offersAny } from './offers/gateway-offers.ts';
import type { ShippedOverMcp } from './offers/shipped-over-mcp.ts';
import type { WindowServer } from './window-server.ts';

/** What an editor lacks that takes no servers of extensions. */
const LOST =
  'its own chat does not get the tools of workspaces and servers; other MCP clients do, with Parley: Copy MCP Client Configuration';

/** Milliseconds that a request for definitions waits for tools that are still loading. */
const patience = 5000;

/**
 * Gives this window's Copilot the tools that the manifest does not declare, over MCP, and what connected servers offer beside
 * tools. While there is nothing there is no server either, so that nobody is asked to trust one.
 *
 * Once it was given, the definition stays as it is for the life of the window, whatever becomes of the tools: VS Code stops a
 * server whose definition changes, and with it every call that is open. Which tools there are, the server tells over MCP.
 * The next window begins with another version, so that what VS Code remembers of the tools is not taken for true.
 */
export function* useMcpDefinitions(
  tools: ToolPort,
  offers: GatewayOffers,
  server: WindowServer,
  shipped: Pick<ShippedOverMcp, 'now' | 'subscribe'>,
): Operation<void> {
  const { registerMcpServerDefinitionProvider: register } = vscode.lm ?? {};
  if (!(yield* hasApi('vscode.lm.registerMcpServerDefinitionProvider', register, LOST))) return;
  const edge = yield* useEdge();
  const version = versionOfParley(yield* useExtension());
  const { registry } = tools;
  const offering = () => ({
    shipped: shipped.now(),
    gateway: setting('parley.gateway.servers'),
  });
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  let given: vscode.McpHttpServerDefinition | undefined;
  const hasAny = () => offeredTools(registry, offering()).length > 0 || offersAny(offers);
  let hadAny = hasAny();
  const look = () => {
    const now = hasAny();
    if (now && !hadAny && !given) changes.fire();
    hadAny = now;
  };
  yield* useSubscription(() => registry.subscribe(look));
  yield* useSubscription(() => offers.prompts.subscribe(look));
  yield* useSubscription(() => offers.resources.subscribe(look));
  yield* useSubscription(() => shipped.subscribe(look));
  yield* useListener(vscode.workspace.onDidChangeConfiguration, look);

  function* definition(): Operation<vscode.McpHttpServerDefinition | undefined> {
    if (given) return given;
    // Copilot's turn waits for this. Tools that take longer are told of when they are there.
    yield* race([tools.loaded(), sleep(patience)]);
    if (!hasAny()) return undefined;
    const dynamic = offeredTools(registry, offering());
    const { url, token } = yield* server.forCopilot();
    given ??= new vscode.McpHttpServerDefinition(
      labelFor(vscode.workspace.name),
      vscode.Uri.parse(url),
      { Authorization: `Bearer ${token}` },
      `${version}-${versionOf(dynamic, offers)}${setting('parley.codeMode') ? '-code' : ''}`,
    );
    return given;
  }

  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changes.event,
    provideMcpServerDefinitions: (token) =>
      edge.promise(function* () {
        const found = yield* definition();
        return found ? [found] : [];
      }, token),
  };
  yield* useDisposable(() => vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, provider));
}

/** Told from the extension's own tools, which the editor lists under `Parley`. */
function labelFor(workspace: string | undefined): string {
  return workspace === undefined ? 'Parley' : `Parley: ${asLabel(workspace)}`;
}
