import { basename } from 'node:path';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { Problem } from '../../workspace/registry/problem.ts';
import type { DefinitionPlace, RegisteredTool } from '../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import type { ToolSource } from '../../workspace/registry/tool-source.ts';
import { useDisposable, useListener, useSubscription } from '../bridge.ts';
import { titleOf } from '../calls/call-entry.ts';
import { treeItems, views } from '../ids.ts';
import { detailItem } from './detail-item.ts';
import { spoken } from './spoken.ts';
import { detailsOf, type ToolDetail } from './tool-details.ts';
import { toolIcon } from './tool-icon.ts';

/** What the Tools view lists: sources, their tools, and what is wrong with their files. */
export type ToolNode =
  | { readonly type: 'source'; readonly source: ToolSource }
  | { readonly type: 'tool'; readonly registered: RegisteredTool; readonly used: boolean }
  | { readonly type: 'detail'; readonly id: string; readonly detail: ToolDetail }
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'restricted' };

/** The Tools view: every tool by its source, those that lost their name and broken files too. */
export function* useToolsView(registry: ToolRegistry): Operation<void> {
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  const treeDataProvider: vscode.TreeDataProvider<ToolNode> = {
    onDidChangeTreeData: changes.event,
    getChildren: (node) => (node === undefined ? sourcesOf(registry) : childrenOf(registry, node)),
    getTreeItem: itemOf,
  };
  yield* useDisposable(() => vscode.window.createTreeView(views.tools, { treeDataProvider }));
  yield* useSubscription(() => registry.subscribe(() => changes.fire()));
  yield* useListener(vscode.workspace.onDidGrantWorkspaceTrust, () => changes.fire());
}

function sourcesOf(registry: ToolRegistry): ToolNode[] {
  const sources = registry
    .sources()
    .map(({ source }): ToolNode => ({ type: 'source', source }))
    .filter((node) => childrenOf(registry, node).length > 0);
  // An empty list has a text of its own.
  const restricted = sources.length > 0 && !vscode.workspace.isTrusted && vscode.workspace.workspaceFolders;
  return restricted ? [...sources, { type: 'restricted' }] : sources;
}

function childrenOf(registry: ToolRegistry, node: ToolNode): ToolNode[] {
  if (node.type === 'tool')
    return detailNodes(toolId(node.registered, node.used), detailsOf(node.registered.tool));
  if (node.type === 'detail') {
    return node.detail.kind === 'question' ? detailNodes(node.id, node.detail.fields) : [];
  }
  if (node.type !== 'source') return [];
  const { source } = node;
  const offered = registry.sources().find((entry) => entry.source.id === source.id)?.tools ?? [];
  const problems =
    source.kind === 'workspace'
      ? registry.problems().filter(({ file, kind }) => kind !== 'duplicate' && isBelow(file, source.folder))
      : [];
  return [
    ...offered.map((registered): ToolNode => {
      const used = registry.get(registered.name) === registered;
      return { type: 'tool', registered, used };
    }),
    ...problems.map((problem): ToolNode => ({ type: 'problem', problem })),
  ];
}

function detailNodes(parent: string, details: readonly ToolDetail[]): ToolNode[] {
  return details.map((detail) => ({
    type: 'detail',
    id: `${parent}:${detail.kind}:${detail.name}`,
    detail,
  }));
}

/** Unique: also among tools of one name, of which the editor would otherwise mix up the rows. */
function toolId({ source, name, place }: RegisteredTool, used: boolean): string {
  const id = `tool:${source.id}:${name}`;
  return used ? id : `${id}:${place?.file}:${place?.line}`;
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.length));
}

function itemOf(node: ToolNode): vscode.TreeItem {
  switch (node.type) {
    case 'source':
      return sourceItem(node.source);
    case 'tool':
      return toolItem(node.registered, node.used);
    case 'restricted':
      return restrictedItem();
    case 'detail':
      return detailItem(node.id, node.detail);
    case 'problem':
      return problemItem(node.problem);
  }
}

function sourceItem(source: ToolSource): vscode.TreeItem {
  const item = new vscode.TreeItem(source.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `source:${source.id}`;
  item.contextValue = treeItems.toolSource;
  return spoken(item, source.label);
}

function toolItem(registered: RegisteredTool, used: boolean): vscode.TreeItem {
  const { tool, place } = registered;
  const item = new vscode.TreeItem(titleOf(tool));
  item.id = toolId(registered, used);
  if (detailsOf(tool).length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  item.description = used ? tool.name : vscode.l10n.t('{0}: not used, its name is taken', tool.name);
  item.tooltip = tool.def.editor.userDescription ?? tool.def.description;
  item.iconPath = used ? toolIcon(tool) : new vscode.ThemeIcon('warning');
  item.contextValue = used ? treeItems.tool : treeItems.toolProblem;
  if (place) item.command = openPlace(place);
  return spoken(item, titleOf(tool));
}

function problemItem(problem: Problem): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.Uri.file(problem.file));
  item.description = problem.message;
  item.tooltip = problem.message;
  item.iconPath = new vscode.ThemeIcon(problem.severity);
  item.contextValue = problem.kind === 'waiting' ? treeItems.waitingFile : treeItems.toolProblem;
  item.command = openPlace(problem);
  return spoken(item, basename(problem.file));
}

/** Why the tools of the workspace are not there, and the way to have them. */
function restrictedItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Restricted Mode'));
  item.id = 'restricted';
  item.description = vscode.l10n.t('tools of this workspace are off');
  item.tooltip = vscode.l10n.t('Tools of this workspace run code. Trust the workspace to have them.');
  item.iconPath = new vscode.ThemeIcon('shield');
  item.command = { command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Workspace Trust') };
  return spoken(item, vscode.l10n.t('Restricted Mode'));
}

function openPlace({ file, line, column }: DefinitionPlace): vscode.Command {
  const position = new vscode.Position(line - 1, column - 1);
  const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(position, position) };
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open File'),
    arguments: [vscode.Uri.file(file), options],
  };
}
