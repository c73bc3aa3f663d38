import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../core/messages/json.ts';
import { fromThenable } from '../bridge.ts';
import { saved } from '../calls/editor/saved.ts';
import { agreed } from '../calls/notices/agreed.ts';
import { inform } from '../calls/notices/inform.ts';
import { setting } from '../setting.ts';
import type { WindowServers } from './keep-servers.ts';
import { withoutServer } from './without-server.ts';

/**
 * **Move Server to Parley…**: from `.vscode/mcp.json`, where the editor would run it, too, to the setting `parley.servers` of the
 * workspace. It stops first, and is started again only when the person allows it where it is now: so it never runs twice for
 * Parley, and the editor stops its own as soon as it is gone from the file. In between it is written in both rather than in none.
 */
export function* moveServer(keeper: WindowServers, name: string): Operation<void> {
  const found = keeper.unit(name)?.found;
  if (!found) return;
  if (!found.file) {
    return inform(vscode.l10n.t('“{0}” is already in the setting parley.servers.', name));
  }
  const [first] = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (found.owner !== first?.uri.toString()) {
    const why = vscode.l10n.t(
      '“{0}” stays in .vscode/mcp.json of its folder: servers of the setting parley.servers run in the first folder of the workspace.',
      name,
    );
    return inform(why);
  }
  const move = vscode.l10n.t('Move');
  const question = vscode.l10n.t('Move the MCP server “{0}” to Parley?', name);
  const detail = vscode.l10n.t(
    'This removes the server from .vscode/mcp.json, so that VS Code no longer runs it, and adds it to the setting parley.servers of this workspace.',
  );
  if (!(yield* agreed({ message: question, detail, button: move }))) return;
  const document = yield* fromThenable(vscode.workspace.openTextDocument(found.file));
  const without = withoutServer(document.getText(), name);
  if (!without) return inform(vscode.l10n.t('“{0}” is no longer in .vscode/mcp.json.', name));
  yield* keeper.stop(name);
  const settings = vscode.workspace.getConfiguration();
  const written = settings.inspect('parley.servers')?.workspaceValue as JsonObject | undefined;
  const servers = { ...written, [name]: without.entry };
  yield* fromThenable(settings.update('parley.servers', servers, vscode.ConfigurationTarget.Workspace));
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  edit.replace(found.file, whole, without.text);
  const edited =
    (yield* fromThenable(vscode.workspace.applyEdit(edit))) &&
    (yield* saved(document, vscode.workspace.onDidSaveTextDocument));
  if (!edited || !(name in setting('parley.servers'))) {
    throw new Error(
      vscode.l10n.t('“{0}” could not be removed from .vscode/mcp.json. Remove it by hand.', name),
    );
  }
  yield* keeper.look();
  yield* keeper.start(name);
}
