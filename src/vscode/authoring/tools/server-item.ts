import * as vscode from 'vscode';
import { asLabel } from '../../../core/messages/label.ts';
import { spoken } from '../../calls/list/spoken.ts';
import { commands, treeItems } from '../../ids.ts';
import { type ServerRow, type ServerState, serverSourceId } from '../../servers/server-book.ts';

/** A server in the Tools view: how it stands, with its tools beneath. */
export function serverItem({ name, place, state, local, started }: ServerRow): vscode.TreeItem {
  const label = asLabel(name) || JSON.stringify(name);
  const item = new vscode.TreeItem(label);
  // The editor keeps rows of one id open or closed, as they were at first.
  item.id = `source:${serverSourceId(name)}${started ? ':started' : ''}`;
  if (['ready', 'connecting', 'waiting'].includes(state.kind)) {
    item.collapsibleState = started
      ? vscode.TreeItemCollapsibleState.Expanded
      : vscode.TreeItemCollapsibleState.Collapsed;
  }
  item.description = stateText(state, local);
  item.tooltip = 'why' in state ? `${item.description}\n${whyText(state)}`.trim() : item.description;
  item.iconPath = iconOf(state);
  if (state.kind === 'loggedOut') {
    item.command = {
      command: commands.logInToServer,
      title: vscode.l10n.t('Log In…'),
      arguments: [name],
    };
  }
  item.contextValue = `${treeItems.server}.${doing(state)}.${place}`;
  return spoken(item, vscode.l10n.t('MCP server {0}', label));
}

function stateText(state: ServerState, local = false): string {
  switch (state.kind) {
    case 'blocked':
      return state.why === 'new'
        ? vscode.l10n.t('not allowed: click Start')
        : vscode.l10n.t('changed: click Start');
    case 'broken':
      return vscode.l10n.t('cannot be used');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'connecting':
      return vscode.l10n.t('connecting…');
    case 'waiting':
      return waitingText(state.pause, local);
    case 'loggedOut':
      return vscode.l10n.t('log in to use it');
    case 'ready':
      return vscode.l10n.t('connected');
  }
}

function waitingText(pause: number | undefined, local: boolean): string {
  const seconds = String(Math.ceil((pause ?? 0) / 1000));
  return local
    ? vscode.l10n.t('cannot start · retrying in {0} s', seconds)
    : vscode.l10n.t('cannot connect · retrying in {0} s', seconds);
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
      return new vscode.ThemeIcon('warning');
    case 'loggedOut':
      return new vscode.ThemeIcon('key');
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
  if (state.kind === 'loggedOut') return 'login';
  return state.kind === 'waiting' ? 'connecting' : state.kind;
}
