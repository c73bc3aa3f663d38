import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import { useCommand } from '../commands/use-command.ts';
import { useEdge } from '../contexts.ts';
import { commands } from '../ids.ts';
import type { ConfigurableClient } from './client-configs.ts';
import type { WindowServer } from './window-server.ts';

/** Commands around the window's MCP server. */
export function* useMcpCommands(server: WindowServer): Operation<void> {
  const edge = yield* useEdge();
  yield* useCommand(commands.copyMcpConfiguration, function* (argument) {
    const { configurableClients } = yield* fromThenable(import('./client-configs.ts'));
    const client =
      configurableClients.find(({ id }) => id === argument) ?? (yield* pickClient(configurableClients));
    if (!client) return;
    yield* fromThenable(vscode.env.clipboard.writeText(client.text(yield* server.forOthers())));
    const copied = vscode.l10n.t(
      'Copied for {0}. It holds a token with which programs of this machine can run the tools of this workspace: keep it to yourself.',
      client.label,
    );
    edge.fork('a message', () => fromThenable(vscode.window.showInformationMessage(copied)));
  });
  yield* useCommand(commands.resetMcpToken, function* () {
    yield* server.resetToken();
    const done = vscode.l10n.t(
      'MCP clients that you configured for this workspace are shut out. Copy the configuration again to let one in.',
    );
    edge.fork('a message', () => fromThenable(vscode.window.showInformationMessage(done)));
  });
}

function* pickClient(clients: readonly ConfigurableClient[]): Operation<ConfigurableClient | undefined> {
  const items = clients.map((client) => ({
    label: client.label,
    description: client.where,
    client,
  }));
  const placeHolder = vscode.l10n.t('Which client shall run the tools of this workspace?');
  const picked = yield* fromThenable(vscode.window.showQuickPick(items, { placeHolder }));
  return picked?.client;
}
