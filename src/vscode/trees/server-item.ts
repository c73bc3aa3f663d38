import * as vscode from 'vscode';
import { asLabel } from '../../core/messages/label.ts';
import { treeItems } from '../ids.ts';
import { type ServerRow, type ServerState, serverSourceId } from '../servers/server-book.ts';
import { spoken } from './spoken.ts';

/** A server in the Tools view: how it stands, with its tools beneath. */
export function serverItem({ name, place, state }: ServerRow): vscode.TreeItem {
  const label = asLabel(name) || JSON.stringify(name);
  const item = new vscode.TreeItem(label);
  if (state.kind === 'ready' || doing(state) === 'connecting')
    item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  item.id = `source:${serverSourceId(name)}`;
  item.description = stateText(state);
  item.tooltip = 'why' in state ? `${item.description}\n${whyText(state)}`.trim() : item.description;
  item.iconPath = iconOf(state);
  item.contextValue = `${treeItems.server}.${doing(state)}.${place}`;
  return spoken(item, vscode.l10n.t('MCP server {0}', label));
}

function stateText(state: ServerState): string {
  switch (state.kind) {
    case 'blocked':
      return state.why === 'new'
        ? vscode.l10n.t('not allowed yet')
        : vscode.l10n.t('has changed: not allowed yet');
    case 'broken':
      return vscode.l10n.t('cannot be used');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'connecting':
      return vscode.l10n.t('connecting…');
    case 'waiting':
      return vscode.l10n.t('not there: it is tried again');
    case 'loggedOut':
      return vscode.l10n.t('not logged in');
    case 'ready':
      return vscode.l10n.t('connected');
  }
}

function whyText(state: Extract<ServerState, { why: string }>): string {
  return state.kind === 'blocked' ? '' : state.why;
}

function iconOf({ kind }: ServerState): vscode.ThemeIcon {
  switch (kind) {
    case 'blocked':
      return new vscode.ThemeIcon('shield');
    case 'broken':
    case 'waiting':
    case 'loggedOut':
      return new vscode.ThemeIcon('warning');
    case 'connecting':
      return new vscode.ThemeIcon('loading~spin');
    case 'stopped':
      return new vscode.ThemeIcon('debug-pause');
    case 'ready':
      return new vscode.ThemeIcon('server-process');
  }
}

/** What menus distinguish. */
function doing(state: ServerState): string {
  if (state.kind === 'blocked') return state.why;
  return state.kind === 'waiting' || state.kind === 'loggedOut' ? 'connecting' : state.kind;
}
