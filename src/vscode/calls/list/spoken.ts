import type * as vscode from 'vscode';

/** The item, read out by its name and what stands beside it: by itself, VS Code would read its tooltip instead. */
export function spoken(item: vscode.TreeItem, name: string): vscode.TreeItem {
  const beside = typeof item.description === 'string' ? item.description : '';
  item.accessibilityInformation = { label: beside === '' || beside === name ? name : `${name}, ${beside}` };
  return item;
}
