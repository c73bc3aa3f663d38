import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { inform } from '../../calls/notices/inform.ts';
import { pickOne } from '../../calls/pick/pick-one.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { Grant } from './access.ts';
import type { ConfigurableClient } from './client-configs.ts';
import type { WindowServer } from './window-server.ts';

/** Commands around the window's MCP server. */
export function* useMcpCommands(server: WindowServer): Operation<void> {
  yield* useCommand(commands.copyMcpConfiguration, function* (argument) {
    const { configurableClients } = yield* fromThenable(import('./client-configs.ts'));
    const client =
      configurableClients.find(({ id }) => id === argument) ?? (yield* pickClient(configurableClients));
    if (!client) return;
    const endpoint = yield* server.forClient(client.name);
    yield* fromThenable(vscode.env.clipboard.writeText(client.text(endpoint)));
    const copied = vscode.l10n.t(
      'Copied the configuration for {0}. It contains a token that lets programs on this machine run the tools of this workspace as “{1}”. Do not share it.',
      client.label,
      endpoint.name,
    );
    inform(copied);
  });
  yield* useCommand(commands.resetMcpToken, function* () {
    const grants = yield* server.clients();
    if (grants.length === 0) return inform(vscode.l10n.t('No MCP client has access to this workspace.'));
    const which = yield* pickGrant(grants);
    if (!which) return;
    yield* server.shutOut(which.id);
    const done =
      which.id === undefined
        ? vscode.l10n.t(
            'The MCP clients that you configured for this workspace no longer have access. Copy the configuration again to restore it.',
          )
        : vscode.l10n.t(
            '“{0}” no longer has access. Copy the configuration again to restore it.',
            which.label,
          );
    inform(done);
  });
}

function* pickClient(clients: readonly ConfigurableClient[]): Operation<ConfigurableClient | undefined> {
  const items = clients.map((client) => ({
    label: client.label,
    description: client.where,
    client,
  }));
  const placeHolder = vscode.l10n.t('Choose the client to connect to the tools of this workspace');
  const picked = yield* pickOne(items, { placeHolder });
  return picked?.client;
}

/** One of them, or all, for whom there is no id. Nobody is asked where there is nothing to choose. */
function* pickGrant(
  grants: readonly Grant[],
): Operation<{ readonly label: string; readonly id?: string } | undefined> {
  const all = { label: vscode.l10n.t('All clients') };
  if (grants.length < 2) return all;
  const items = [
    all,
    ...grants.map(({ name, id }) => ({ label: name, id, iconPath: new vscode.ThemeIcon('plug') })),
  ];
  const placeHolder = vscode.l10n.t('Choose a client to revoke its access');
  return yield* pickOne(items, { placeHolder });
}
