import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { locateTool } from '../../../workspace/load/locate.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { useDisposable, useSubscription } from '../../bridge.ts';
import { commands } from '../../ids.ts';
import { languages } from '../workspace/tool-languages.ts';

/** What one can do with a tool where it is defined: *Run*, *Debug* and *Open Test* above each `createMcpTool`. */
export function* useToolLenses(registry: ToolRegistry): Operation<void> {
  const changes = yield* useDisposable(() => new vscode.EventEmitter<void>());
  const selector = languages.map((language) => ({ language, scheme: 'file' }));
  yield* useDisposable(() =>
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) =>
        toolsIn(registry, document.uri.fsPath).flatMap((tool) => {
          const range = definitionIn(document, tool);
          return range ? lensesOf(registry, tool, range) : [];
        }),
    }),
  );
  yield* useSubscription(() => registry.subscribe(() => changes.fire()));
}

/** All tools that a file defines, those that lost their name included. */
function toolsIn(registry: ToolRegistry, file: string): readonly RegisteredTool[] {
  return registry.sources().flatMap(({ tools }) => tools.filter(({ place }) => place?.file === file));
}

/** Where the definition stands in what is being edited, which may be ahead of what was loaded. */
function definitionIn(document: vscode.TextDocument, tool: RegisteredTool): vscode.Range | undefined {
  const place = locateTool(document.getText(), tool.name);
  return place ? document.lineAt(place.line - 1).range : undefined;
}

function lensesOf(registry: ToolRegistry, tool: RegisteredTool, range: vscode.Range): vscode.CodeLens[] {
  if (registry.get(tool.name) !== tool) {
    const title = vscode.l10n.t('$(warning) Not used: another tool has this name');
    return [new vscode.CodeLens(range, { title, command: 'workbench.actions.view.problems' })];
  }
  const title = vscode.l10n.t('$(play) Run');
  const tooltip = vscode.l10n.t('Run this tool');
  return [
    new vscode.CodeLens(range, { title, tooltip, command: commands.runTool, arguments: [tool.name] }),
    new vscode.CodeLens(range, {
      title: vscode.l10n.t('$(debug-alt) Debug'),
      tooltip: vscode.l10n.t('Debug this tool'),
      command: commands.debugTool,
      arguments: [tool.name],
    }),
    new vscode.CodeLens(range, {
      title: vscode.l10n.t('$(beaker) Open Test'),
      tooltip: vscode.l10n.t('Open or create the test of this tool'),
      command: commands.openTest,
      arguments: [tool.name],
    }),
  ];
}
