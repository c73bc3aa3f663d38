import { basename } from 'node:path';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { asLabel } from '../../../core/messages/label.ts';
import type { Problem, SourceLocation } from '../../../workspace/registry/problem.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import type { ToolSource } from '../../../workspace/registry/tool-source.ts';
import { useDisposable, useListener, useSubscription } from '../../bridge.ts';
import { byTitle, lineFor, titleOf } from '../../calls/call-entry.ts';
import { spoken } from '../../calls/list/spoken.ts';
import { toolIcon } from '../../calls/panel/tabs/tool-icon.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { commands, treeItems, views } from '../../ids.ts';
import { type ServerBook, serverSourceId } from '../../servers/server-book.ts';
import { dragToPin } from '../pins/drag-pins.ts';
import { pinRow } from '../pins/pin-row.ts';
import type { Pins } from '../pins/pins.ts';
import { detailItem } from './detail-item.ts';
import { ownFirst } from './own-first.ts';
import { serverItem } from './server-item.ts';
import { detailsOf, type ToolDetail } from './tool-details.ts';
import type { ListedTool, ToolNode } from './tool-node.ts';

/** The Tools view: what is pinned, then every tool by its source, those that lost their name and broken files too. */
export function* useToolsView(tools: ToolPort, pins: Pins, servers: ServerBook): Operation<void> {
  const { registry } = tools;
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  const treeDataProvider: vscode.TreeDataProvider<ToolNode> = {
    onDidChangeTreeData: changes.event,
    getChildren(node) {
      if (node === undefined) return [...pinnedOf(registry, pins).slice(0, 1), ...rootsOf(tools, servers)];
      if (node.type === 'servers') return servers.rows().map((row) => ({ type: 'server', row }));
      return node.type === 'pinned' ? pinnedOf(registry, pins).slice(1) : childrenOf(registry, node);
    },
    getTreeItem: (node) =>
      itemOf(node, (name) => pinRow(pins, name, (one) => registry.get(one) !== undefined)),
  };
  yield* useDisposable(() =>
    vscode.window.createTreeView(views.tools, { treeDataProvider, dragAndDropController: dragToPin(pins) }),
  );
  yield* useSubscription(() => registry.subscribe(() => changes.fire()));
  yield* useSubscription(() => tools.subscribe(() => changes.fire()));
  yield* useSubscription(() => pins.subscribe(() => changes.fire()));
  yield* useSubscription(() => servers.subscribe(() => changes.fire()));
  yield* useListener(vscode.workspace.onDidGrantWorkspaceTrust, () => changes.fire());
}

/** The heading, then the tools; nothing where none of those is there now. */
function pinnedOf(registry: ToolRegistry, pins: Pins): ToolNode[] {
  const tools = pins.list().flatMap((name): ToolNode[] => {
    const registered = registry.get(name);
    return registered ? [{ type: 'tool', registered, used: true, pinned: true }] : [];
  });
  return tools.length === 0 ? [] : [{ type: 'pinned' }, ...tools];
}

function rootsOf(tools: ToolPort, servers: ServerBook): ToolNode[] {
  const sources = sourcesOf(tools.registry);
  const own = sources.some((node) => node.type === 'source' && node.source.kind === 'workspace');
  const begin = vscode.workspace.isTrusted && !tools.loading() && !own;
  return [
    ...(begin ? beginnings : []),
    ...sources,
    ...(servers.rows().length > 0 ? [{ type: 'servers' } as const] : []),
  ];
}

function sourcesOf(registry: ToolRegistry): ToolNode[] {
  const sources = ownFirst(registry.sources())
    // Servers have rows of their own, also while they offer nothing.
    .filter(({ source }) => source.kind !== 'server')
    .map(({ source }): ToolNode => ({ type: 'source', source }))
    .filter((node) => childrenOf(registry, node).length > 0);
  // An empty list has a text of its own.
  const restricted = sources.length > 0 && !vscode.workspace.isTrusted && vscode.workspace.workspaceFolders;
  return restricted ? [...sources, { type: 'restricted' }] : sources;
}

function childrenOf(registry: ToolRegistry, node: ToolNode): ToolNode[] {
  if (node.type === 'tool') return detailNodes(toolId(node), detailsOf(node.registered.tool));
  if (node.type === 'detail') {
    return node.detail.kind === 'question' ? detailNodes(node.id, node.detail.fields) : [];
  }
  if (node.type === 'server') return toolNodes(registry, serverSourceId(node.row.name));
  if (node.type !== 'source') return [];
  const { source } = node;
  const problems =
    source.kind === 'workspace'
      ? registry.problems().filter(({ file, kind }) => kind !== 'duplicate' && isBelow(file, source.folder))
      : [];
  return [
    ...toolNodes(registry, source.id),
    ...problems.map((problem): ToolNode => ({ type: 'problem', problem })),
  ];
}

function toolNodes(registry: ToolRegistry, sourceId: string): ToolNode[] {
  const offered = registry.sources().find(({ source }) => source.id === sourceId)?.tools ?? [];
  return byTitle(offered).map((registered) => {
    const used = registry.get(registered.name) === registered;
    return { type: 'tool', registered, used };
  });
}

function detailNodes(parent: string, details: readonly ToolDetail[]): ToolNode[] {
  return details.map((detail) => ({
    type: 'detail',
    id: `${parent}:${detail.kind}:${detail.name}`,
    detail,
  }));
}

/** Unique: also among tools of one name, of which the editor would otherwise mix up the rows. */
function toolId({ registered: { source, name, place }, used, pinned }: ListedTool): string {
  const id = `${pinned ? 'pin' : 'tool'}:${source.id}:${name}`;
  return used ? id : `${id}:${place?.file}:${place?.line}`;
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.length));
}

function itemOf(node: ToolNode, rowOf: (toolName: string) => string): vscode.TreeItem {
  switch (node.type) {
    case 'source':
      return sourceItem(node.source);
    case 'server':
      return serverItem(node.row);
    case 'tool':
      return toolItem(node, rowOf(node.registered.name));
    case 'pinned':
      return headingItem('pinned', vscode.l10n.t('Pinned'), 'pinned');
    case 'servers':
      return headingItem('servers', vscode.l10n.t('MCP Servers'), 'mcp');
    case 'restricted':
      return restrictedItem();
    case 'begin':
      return beginItem(node);
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

function headingItem(id: string, label: string, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icon);
  return spoken(item, label);
}

function toolItem(node: ListedTool, row: string): vscode.TreeItem {
  const { registered, used } = node;
  const { tool, place, source } = registered;
  const title = titleOf(tool);
  const item = new vscode.TreeItem(title);
  item.id = toolId(node);
  if (detailsOf(tool).length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  // Below its server, a tool of another's needs no more than the name that it has there.
  const known = tool.def.foreign?.tool ?? tool.name;
  if (title !== known) item.description = asLabel(known);
  if (!used) item.description = vscode.l10n.t('{0}: not used, another tool has this name', tool.name);
  item.tooltip = lineFor(tool);
  item.iconPath = used ? toolIcon(tool) : new vscode.ThemeIcon('warning');
  const own = source.kind === 'workspace' ? treeItems.ownTool : '';
  item.contextValue = used ? `${row}${own}` : treeItems.toolProblem;
  if (place) item.command = openPlace(place);
  return spoken(item, title);
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
  item.tooltip = vscode.l10n.t('The tools of this workspace run code. Trust the workspace to use them.');
  item.iconPath = new vscode.ThemeIcon('shield');
  item.command = { command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Workspace Trust') };
  return spoken(item, vscode.l10n.t('Restricted Mode'));
}

function openPlace({ file, line, column }: SourceLocation): vscode.Command {
  const position = new vscode.Position(line - 1, column - 1);
  const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(position, position) };
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open File'),
    arguments: [vscode.Uri.file(file), options],
  };
}

/** The ways to the first tool of a workspace, while it has none. */
const beginnings: readonly ToolNode[] = [
  { type: 'begin', with: 'tool' },
  { type: 'begin', with: 'example' },
];

/** A row that is one of them. */
function beginItem(node: Extract<ToolNode, { type: 'begin' }>): vscode.TreeItem {
  const ofYours = node.with === 'tool';
  const label = ofYours ? vscode.l10n.t('New Tool…') : vscode.l10n.t('Add Example…');
  const item = new vscode.TreeItem(label);
  item.id = `begin:${node.with}`;
  item.description = ofYours ? vscode.l10n.t('create your first') : vscode.l10n.t('to run and edit');
  item.iconPath = new vscode.ThemeIcon(ofYours ? 'add' : 'library');
  item.command = { command: ofYours ? commands.newTool : commands.addExample, title: label };
  return spoken(item, label);
}
