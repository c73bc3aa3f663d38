import * as vscode from 'vscode';
import { spoken } from '../../calls/list/spoken.ts';
import type { ToolDetail } from './tool-details.ts';

/** How a line below a tool looks. */
export function detailItem(id: string, detail: ToolDetail): vscode.TreeItem {
  const item = new vscode.TreeItem(detail.name);
  item.id = id;
  switch (detail.kind) {
    case 'question':
      item.description = vscode.l10n.t('waiting for you');
      item.iconPath = new vscode.ThemeIcon('question');
      if (detail.fields.length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
      break;
    case 'needs':
      item.label = needText(detail.name);
      item.iconPath = new vscode.ThemeIcon('plug');
      break;
    default:
      item.description = detail.required ? detail.type : vscode.l10n.t('{0}, optional', detail.type);
      item.tooltip = detail.description ?? '';
      item.iconPath = new vscode.ThemeIcon(detail.kind === 'parameter' ? 'symbol-parameter' : 'symbol-field');
  }
  return spoken(item, String(item.label));
}

function needText(name: Extract<ToolDetail, { kind: 'needs' }>['name']): string {
  switch (name) {
    case 'elicitation':
      return vscode.l10n.t('Needs a person to answer');
    case 'sampling':
      return vscode.l10n.t('Needs a language model');
    case 'roots':
      return vscode.l10n.t('Needs folders');
    case 'editor':
      return vscode.l10n.t('Asks you in this window');
  }
}
