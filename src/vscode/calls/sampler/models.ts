import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { ModelPreferences } from '../../../core/tool/sample.ts';
import { fromThenable } from '../../bridge.ts';
import { ownVendor, type SettingId } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { answersAnywhere, chooseModel, type ModelFacts, modelKey } from './choose-model.ts';
import { noModelError } from './errors.ts';
import type { LastModel } from './last-model.ts';
import type { OwnModel, OwnModels } from './own-models.ts';

const modelSetting = 'parley.sampling.model' satisfies SettingId;

/** The model that the person chose for tools, or an empty string. */
export function chosenModel(): string {
  return setting(modelSetting);
}

/** Writes the choice to where it is set already, else for all workspaces. */
export function* saveChosenModel(key: string): Operation<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inWorkspace = configuration.inspect(modelSetting)?.workspaceValue !== undefined;
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  yield* fromThenable(configuration.update(modelSetting, key === '' ? undefined : key, target));
}

/** Every model of the editor but the person's own. Asking may start the extensions that provide them. */
export function* listModels(): Operation<readonly vscode.LanguageModelChat[]> {
  // Some editors that are made of VS Code have none of this.
  const listed = vscode.lm?.selectChatModels?.();
  const models = listed ? yield* fromThenable(listed) : [];
  return models.filter(({ vendor }) => vendor !== ownVendor);
}

/** A model of the editor, or one of the person's own. */
export type PickedModel = { readonly chat: vscode.LanguageModelChat } | { readonly own: OwnModel };

/** What a choice of model goes by, beside the setting. */
export interface PickModelParts {
  readonly access: vscode.LanguageModelAccessInformation;
  readonly last: LastModel;
  readonly own: OwnModels;
  /** Runs what waits for the person: the call's clock stands still meanwhile. */
  consent<T>(op: () => Operation<T>): Operation<T>;
}

/**
 * The model that a sampling with these preferences goes to. With models of several vendors and nothing that says which, the
 * person is asked once. @throws `NoModelError`
 */
export function* pickModel(
  preferences: ModelPreferences | undefined,
  { access, last, own: ownModels, consent }: PickModelParts,
): Operation<PickedModel> {
  const models = yield* listModels();
  const candidates: readonly (ModelFacts & { readonly picked: PickedModel })[] = [
    ...models.map((chat) => ({
      picked: { chat },
      vendor: chat.vendor,
      id: chat.id,
      family: chat.family,
      name: chat.name,
      allowed: access.canSendRequest(chat),
    })),
    ...ownModels.list().map((own) => ({ ...own, picked: { own } })),
  ];
  const setting = chosenModel();
  const choice = chooseModel(candidates, setting, preferences, last.get());
  if (!choice.model) throw noModelError(choice.missing === 'setting' ? setting : '');
  const { model } = choice;
  if (choice.by !== 'guess') return model.picked;
  const asked = candidates.filter((one) => answersAnywhere(one) && one.vendor !== ownVendor);
  return (yield* consent(() => last.ask(asked, model))).picked;
}

/** Shows the models and gives the key of the one that was picked. */
export function showModels(models: readonly ModelFacts[]): PromiseLike<string | undefined> {
  const items = models.map((model) => ({ label: model.name, description: modelKey(model) }));
  return vscode.window
    .showQuickPick(items, {
      title: vscode.l10n.t('A tool is asking a language model'),
      placeHolder: vscode.l10n.t('Choose the model for tools in this workspace'),
      ignoreFocusOut: true,
      matchOnDescription: true,
    })
    .then((picked) => picked?.description);
}
