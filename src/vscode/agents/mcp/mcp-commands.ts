import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { inform } from '../../calls/notices/inform.ts';
import { pickOne } from '../../calls/pick/pick-one.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { Grant } from './access.ts';
import type { WindowServer } from './window-server.ts';

/** Commands around the window's MCP server. */
export function* useMcpCommands(server: WindowServer): Operation<void> {
  yield* useCommand(commands.copyMcpConfiguration, function* (argument) {
    const { connectClient } = yield* fromThenable(import('./connect-client.ts'));
    yield* connectClient(server, argument);
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
