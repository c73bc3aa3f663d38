import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import type { ExampleName } from '../../../workspace/scaffold/index.ts';
import { pickOne } from '../../calls/pick/pick-one.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useExtension } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { AuthorKits } from './author-kits.ts';
import { folderForTools, openNewTool } from './new-tools.ts';

/** **Parley: Add Example…**: copies one of the tools that Parley ships as examples into the workspace, and opens it. */
export function* useAddExampleCommand(tools: ToolPort, kits: AuthorKits): Operation<void> {
  yield* useCommand(commands.addExample, function* () {
    const folder = yield* folderForTools();
    const name = folder && (yield* pickExample());
    if (!folder || !name) return undefined;
    const parley = (yield* useExtension()).extensionUri.fsPath;
    const { addExample } = yield* until(import('../../../workspace/scaffold/index.ts'));
    return yield* openNewTool(tools, kits, folder, () => addExample(parley, folder.uri.fsPath, name));
  });
}

interface ExampleItem extends vscode.QuickPickItem {
  readonly name: ExampleName;
}

function* pickExample(): Operation<ExampleName | undefined> {
  const placeHolder = vscode.l10n.t('Choose an example to add to this workspace');
  return (yield* pickOne(items(), { placeHolder, matchOnDescription: true }))?.name;
}

function items(): ExampleItem[] {
  return [
    item('release', vscode.l10n.t('Drafts notes, commits, tags and publishes an npm package'), 'rocket'),
    item(
      'migrate',
      vscode.l10n.t('Shows what each statement of a migration locks, and applies it'),
      'database',
    ),
    item(
      'upgrade_dependencies',
      vscode.l10n.t('Tests each upgrade alone, and commits what is green'),
      'package',
    ),
    item(
      'find_flaky_tests',
      vscode.l10n.t('Runs all tests several times, and quarantines what fails only sometimes'),
      'beaker',
    ),
    item(
      'triage',
      vscode.l10n.t('Proposes labels and replies for GitHub issues, and sends what you keep'),
      'issues',
    ),
    item('word_count', vscode.l10n.t('Takes parameters and returns a result'), 'symbol-method'),
    item('slow_count', vscode.l10n.t('Runs for a while, reports progress, and can be stopped'), 'watch'),
    item('field_kinds', vscode.l10n.t('Shows every kind of form field'), 'question'),
  ];
}

function item(name: ExampleName, description: string, icon: string): ExampleItem {
  return { name, label: name, description, iconPath: new vscode.ThemeIcon(icon) };
}
