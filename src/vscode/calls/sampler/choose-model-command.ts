import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { useExtension } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { useCommand } from '../../use-command.ts';
import { pickOne } from '../pick/pick-one.ts';
import { answersAnywhere, type ModelFacts, modelKey } from './choose-model.ts';
import { chosenModel, listModels, saveChosenModel } from './models.ts';
import { createOwnModels } from './own-models.ts';

interface ModelItem extends vscode.QuickPickItem {
  /** As written in the setting; empty for no choice. */
  readonly key: string;
}

/** **Parley: Choose Model for Tools…** */
export function* useChooseModelCommand(): Operation<void> {
  const { secrets } = yield* useExtension();
  yield* useCommand(commands.chooseSamplingModel, function* () {
    // An agent answers no tool: where one is set all the same, it stands below as what cannot be had.
    const own = createOwnModels(secrets, () => setting('parley.models'));
    const models = [...(yield* listModels()).filter(answersAnywhere), ...own.list()];
    const items = itemsOf(models, chosenModel());
    const placeHolder =
      models.length === 0
        ? vscode.l10n.t(
            'No model is available. Sign in to Copilot, install an extension that provides a model, or run “Parley: Add Model…”',
          )
        : vscode.l10n.t('Model for tools');
    const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
    const picked = yield* pickOne(items, options);
    if (picked) yield* saveChosenModel(picked.key);
  });
}

function itemsOf(models: readonly ModelFacts[], chosen: string): ModelItem[] {
  const mark = (key: string) => (key === chosen ? vscode.l10n.t('chosen') : '');
  const keys = models.map(modelKey);
  return [
    {
      label: vscode.l10n.t('Automatic'),
      description: mark(''),
      detail: vscode.l10n.t('The model that the tool suggests, or a default'),
      key: '',
    },
    ...models.map((model) => ({
      label: model.name,
      description: [modelKey(model), mark(modelKey(model))].filter(Boolean).join(' · '),
      key: modelKey(model),
    })),
    ...(chosen === '' || keys.includes(chosen)
      ? []
      : [
          {
            label: chosen,
            description: [mark(chosen), vscode.l10n.t('not available')].join(' · '),
            iconPath: new vscode.ThemeIcon('warning'),
            key: chosen,
          },
        ]),
  ];
}
