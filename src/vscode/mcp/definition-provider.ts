import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { type Edge, useDisposable, useSubscription } from '../bridge.ts';
import { mcpProvider } from '../ids.ts';
import type { ToolPort } from '../workspace/tool-port.ts';
import { dynamicTools, versionOf } from './dynamic-tools.ts';
import type { WindowServer } from './window-server.ts';

/** What the provider works with. */
export interface DefinitionProviderParts {
  readonly edge: Edge;
  readonly tools: ToolPort;
  readonly server: WindowServer;
  readonly version: string;
}

/** Milliseconds that somebody who asks for definitions waits for tools that are on their way. */
const patience = 5000;

/**
 * Gives this window's Copilot the tools that the manifest does not declare, over MCP. While there are none there is no
 * server either, so that nobody is asked to trust one.
 */
export function* useMcpDefinitions({
  edge,
  tools,
  server,
  version,
}: DefinitionProviderParts): Operation<void> {
  const { registry } = tools;
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  const current = () => versionOf(dynamicTools(registry));
  let told = current();
  yield* useSubscription(() =>
    registry.subscribe(() => {
      const now = current();
      if (now === told) return;
      told = now;
      changes.fire();
    }),
  );
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changes.event,
    provideMcpServerDefinitions: (token) =>
      edge.promise(function* () {
        // Copilot's turn waits for this. Tools that take longer are told of when they are there.
        yield* race([tools.loaded(), sleep(patience)]);
        const dynamic = dynamicTools(registry);
        if (dynamic.length === 0) return [];
        const { url, token: bearer } = yield* server.forCopilot();
        return [
          new vscode.McpHttpServerDefinition(
            'Parley',
            vscode.Uri.parse(url),
            { Authorization: `Bearer ${bearer}` },
            `${version}-${versionOf(dynamic)}`,
          ),
        ];
      }, token),
  };
  yield* useDisposable(() => vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, provider));
}
