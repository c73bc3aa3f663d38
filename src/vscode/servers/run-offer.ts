import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { AnyTool } from '../../core/tool/tool.ts';
import { promptTool, resourceTool, type ServerConnection, templateTool } from '../../mcp/client/index.ts';
import type { CallDesk } from '../calls/desk.ts';
import type { Lazy } from '../calls/lazy.ts';
import { inform } from '../calls/notices/inform.ts';
import { pickOne } from '../calls/pick/pick-one.ts';
import { plainItem } from '../calls/pick/plain-item.ts';
import { runForPerson } from '../calls/run/run-for-person.ts';
import type { WindowServers } from './keep-servers.ts';

/** Lets the person pick a prompt or a resource of a server, and shows what comes of it as a call. */
export function* runOffer(keeper: WindowServers, name: string, desk: Lazy<CallDesk>): Operation<void> {
  const [connection] = keeper.unit(name)?.servers?.connections ?? [];
  if (connection?.state().kind !== 'ready') {
    return inform(vscode.l10n.t('The MCP server “{0}” is not connected.', name));
  }
  const items = itemsOf(connection);
  if (!items.some(({ make }) => make)) {
    return inform(vscode.l10n.t('The MCP server “{0}” offers no prompts and no resources.', name));
  }
  const placeHolder = vscode.l10n.t('Choose a prompt or resource of “{0}”', name);
  const picked = yield* pickOne(items, { placeHolder, matchOnDescription: true });
  if (picked?.make) yield* runForPerson({ desk }, { tool: picked.make(), plugin: undefined });
}

interface OfferItem extends vscode.QuickPickItem {
  readonly make?: () => AnyTool;
}

function itemsOf(connection: ServerConnection): OfferItem[] {
  const { prompts, resources, templates } = connection.offers();
  return [
    heading(vscode.l10n.t('Prompts')),
    ...prompts.map((prompt) => ({
      ...item(prompt.title ?? prompt.name, prompt.name, prompt.description),
      make: () => promptTool(connection, prompt),
    })),
    heading(vscode.l10n.t('Resources')),
    ...templates.map((template) => ({
      ...item(template.title ?? template.name, template.uriTemplate, template.description),
      make: () => templateTool(connection, template),
    })),
    ...resources.map((resource) => ({
      ...item(resource.title ?? resource.name, resource.uri, resource.description),
      make: () => resourceTool(connection, resource),
    })),
  ];
}

const heading = (label: string): OfferItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** In words of the server. */
function item(label: string, description: string, detail: string | undefined): OfferItem {
  return {
    label: plainItem(label) || plainItem(description),
    description: plainItem(description),
    ...(detail ? { detail: plainItem(detail) } : {}),
  };
}
