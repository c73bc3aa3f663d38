import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { Template } from '../../../workspace/scaffold/index.ts';
import { pickOne } from './pick-one.ts';

/** Lets the person pick what a new tool begins as. Nothing comes back on Escape. */
export function* pickTemplate(): Operation<Template | undefined> {
  const placeHolder = vscode.l10n.t('Choose a template');
  const options = { placeHolder, ignoreFocusOut: true, matchOnDescription: true };
  return (yield* pickOne(items(), options))?.template;
}

interface TemplateItem extends vscode.QuickPickItem {
  readonly template: Template;
}

function items(): TemplateItem[] {
  return [
    {
      template: 'plain',
      label: vscode.l10n.t('Plain'),
      description: vscode.l10n.t('Takes parameters and returns a result'),
      iconPath: new vscode.ThemeIcon('symbol-method'),
    },
    {
      template: 'question',
      label: vscode.l10n.t('With a question'),
      description: vscode.l10n.t('Asks in a form'),
      iconPath: new vscode.ThemeIcon('question'),
    },
    {
      template: 'view',
      label: vscode.l10n.t('With a view'),
      description: vscode.l10n.t('Asks with your own React component'),
      iconPath: new vscode.ThemeIcon('preview'),
    },
    {
      template: 'sampling',
      label: vscode.l10n.t('With sampling'),
      description: vscode.l10n.t('Asks the model for structured data'),
      iconPath: new vscode.ThemeIcon('sparkle'),
    },
    {
      template: 'branches',
      label: vscode.l10n.t('With branches'),
      description: vscode.l10n.t('Asks the model several things at once'),
      iconPath: new vscode.ThemeIcon('git-branch'),
    },
  ];
}
