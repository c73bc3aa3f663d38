import * as vscode from 'vscode';
import { spoken } from '../../calls/list/spoken.ts';
import { commands } from '../../ids.ts';
import type { ToolNode } from './tool-node.ts';

/** The ways to the first tool of a workspace, while it has none. */
export const beginnings: readonly ToolNode[] = [
  { type: 'begin', with: 'tool' },
  { type: 'begin', with: 'example' },
];

/** A row that is one of them. */
export function beginItem(node: Extract<ToolNode, { type: 'begin' }>): vscode.TreeItem {
  const ofYours = node.with === 'tool';
  const label = ofYours ? vscode.l10n.t('New Tool…') : vscode.l10n.t('Add Example…');
  const item = new vscode.TreeItem(label);
  item.id = `begin:${node.with}`;
  item.description = ofYours ? vscode.l10n.t('create your first') : vscode.l10n.t('to run and edit');
  item.iconPath = new vscode.ThemeIcon(ofYours ? 'add' : 'library');
  item.command = { command: ofYours ? commands.newTool : commands.addExample, title: label };
  return spoken(item, label);
}
