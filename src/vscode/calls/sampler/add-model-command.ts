import { type Operation, until, useAbortSignal } from 'effection';
import * as vscode from 'vscode';
import { isObject } from '../../../core/schema/is-object.ts';
import { fromThenable } from '../../bridge.ts';
import { useExtension } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { useCommand } from '../../use-command.ts';
import { createOwnModels, modelAddress } from './own-models.ts';

/** Most of a server's models to pick from, bytes that its list may have, and how long it may take, milliseconds. */
const MOST = 500;
const BYTES = 2 ** 20;
const PATIENCE = 10_000;

/** **Parley: Add Model…** */
export function* useAddModelCommand(): Operation<void> {
  const { secrets } = yield* useExtension();
  const models = createOwnModels(secrets, () => setting('parley.models'));
  yield* useCommand(commands.addModel, function* () {
    const title = vscode.l10n.t('Add Model');
    const ask = (options: vscode.InputBoxOptions) =>
      fromThenable(vscode.window.showInputBox({ title, ignoreFocusOut: true, ...options }));
    const given = yield* ask({
      prompt: vscode.l10n.t('Address of an OpenAI-compatible server'),
      placeHolder: 'http://127.0.0.1:11434/v1',
      validateInput: (text) =>
        modelAddress(text)
          ? undefined
          : vscode.l10n.t('Enter an https address, or an address of this machine, without a password'),
    });
    const url = given === undefined ? undefined : modelAddress(given);
    if (!url) return;
    const kept = yield* models.key(url);
    const typed = yield* ask({
      prompt:
        kept === undefined
          ? vscode.l10n.t('Key for {0}. Leave it empty if the server needs none', url.host)
          : vscode.l10n.t('Key for {0}. Leave it empty to keep the current key', url.host),
      password: true,
    });
    if (typed === undefined) return;
    const key = typed.trim() || (kept ?? '');
    const names = yield* modelsOf(url, key);
    const model =
      names.length > 0
        ? yield* fromThenable(
            vscode.window.showQuickPick([...names], {
              title,
              placeHolder: vscode.l10n.t('Model'),
              ignoreFocusOut: true,
            }),
          )
        : yield* ask({ prompt: vscode.l10n.t('Name of the model. The server did not list its models') });
    if (!model?.trim()) return;
    yield* models.keepKey(url, key);
    const entry = { name: model.trim(), url: url.href.replace(/\/$/, ''), model: model.trim() };
    const others = setting('parley.models').filter(
      (one) => !(isObject(one) && one.url === entry.url && one.model === entry.model),
    );
    yield* fromThenable(
      vscode.workspace
        .getConfiguration()
        .update('parley.models', [...others, entry], vscode.ConfigurationTarget.Global),
    );
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Tools can use {0} when the editor has no other model.', entry.name),
    );
  });
}

/** What a server says it has; nothing where it does not say so in a way that can be read. */
function* modelsOf(url: URL, key: string): Operation<readonly string[]> {
  const signal = AbortSignal.any([yield* useAbortSignal(), AbortSignal.timeout(PATIENCE)]);
  return yield* until(listed(url, key, signal).catch(() => []));
}

async function listed(url: URL, key: string, signal: AbortSignal): Promise<readonly string[]> {
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
  // Elsewhere the key has no business.
  const response = await fetch(`${url.href.replace(/\/$/, '')}/models`, {
    headers,
    redirect: 'error',
    signal,
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > BYTES) return [];
    chunks.push(chunk);
  }
  const said: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const data = isObject(said) && Array.isArray(said.data) ? said.data : [];
  const names = data.flatMap((one: unknown) => (isObject(one) && typeof one.id === 'string' ? [one.id] : []));
  return [...new Set(names)]
    .filter((name) => name.length <= 200)
    .slice(0, MOST)
    .sort();
}
