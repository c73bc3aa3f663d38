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
    {
      name: 'word_count',
      label: 'word_count',
      description: vscode.l10n.t('Takes parameters and returns a result'),
      iconPath: new vscode.ThemeIcon('symbol-method'),
    },
    {
      name: 'slow_count',
      label: 'slow_count',
      description: vscode.l10n.t('Runs for a while, reports progress, and can be stopped'),
      iconPath: new vscode.ThemeIcon('watch'),
    },
    {
      name: 'field_kinds',
      label: 'field_kinds',
      description: vscode.l10n.t('Shows every kind of form field'),
      iconPath: new vscode.ThemeIcon('question'),
    },
    {
      name: 'pick_card',
      label: 'pick_card',
      description: vscode.l10n.t('Asks with your own React component'),
      iconPath: new vscode.ThemeIcon('preview'),
    },
    {
      name: 'tictactoe',
      label: 'tictactoe',
      description: vscode.l10n.t('A game: the person against the model'),
      iconPath: new vscode.ThemeIcon('sparkle'),
    },
    {
      name: 'book_flight',
      label: 'book_flight',
      description: vscode.l10n.t('Asks several questions, each with its own React component'),
      iconPath: new vscode.ThemeIcon('list-ordered'),
    },
  ];
}
