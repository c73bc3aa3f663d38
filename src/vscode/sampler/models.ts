import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { ModelPreferences } from '../../core/tool/sample.ts';
import { fromThenable } from '../bridge.ts';
import type { SettingId, Settings } from '../ids.ts';
import { chooseModel, type ModelFacts } from './choose-model.ts';
import { noModelError } from './errors.ts';

const modelSetting = 'parley.sampling.model' satisfies SettingId;

/** The model that the person chose for tools, or an empty string. */
export function chosenModel(): string {
  return vscode.workspace.getConfiguration().get<Settings[typeof modelSetting]>(modelSetting, '');
}

/** Writes the choice to where it is set already, else for all workspaces. */
export function* saveChosenModel(key: string): Operation<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inWorkspace = configuration.inspect(modelSetting)?.workspaceValue !== undefined;
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  yield* fromThenable(configuration.update(modelSetting, key === '' ? undefined : key, target));
}

/** Every model of the editor. Asking may start the extensions that provide them. */
export function* listModels(): Operation<readonly vscode.LanguageModelChat[]> {
  return yield* fromThenable(vscode.lm.selectChatModels());
}

/** The model that a sampling with these preferences goes to. @throws `NoModelError` */
export function* pickModel(
  access: vscode.LanguageModelAccessInformation,
  preferences: ModelPreferences | undefined,
): Operation<vscode.LanguageModelChat> {
  const models = yield* listModels();
  const candidates = models.map((chat): ModelFacts & { readonly chat: vscode.LanguageModelChat } => ({
    chat,
    vendor: chat.vendor,
    id: chat.id,
    family: chat.family,
    name: chat.name,
    allowed: access.canSendRequest(chat),
  }));
  const setting = chosenModel();
  const choice = chooseModel(candidates, setting, preferences);
  if (!choice.model) throw noModelError(choice.missing === 'setting' ? setting : '');
  return choice.model.chat;
}
