import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { blocksOf, textOf } from '../../../core/messages/content.ts';
import { useDisposable, useListener } from '../../bridge.ts';
import { createOwnModels, type OwnModel } from '../../calls/sampler/own-models.ts';
import type { LmMessage, LmRequest } from '../../calls/sampler/parts.ts';
import { fromVscodePart } from '../../calls/sampler/to-vscode.ts';
import { useEdge, useExtension } from '../../contexts.ts';
import { hasApi } from '../../has-api.ts';
import { ownVendor } from '../../ids.ts';
import { setting } from '../../setting.ts';
import { decodeRequest } from './decode-request.ts';

/** What a model is taken to read and to say at most: it does not tell. */
const MAX_INPUT = 32_000;
const MAX_OUTPUT = 8_000;

/** The person's own models in the chat's list of models: without one there, VS Code asks no participant. */
export function* useOwnModelProvider(): Operation<void> {
  const { registerLanguageModelChatProvider: register } = vscode.lm ?? {};
  const name = 'vscode.lm.registerLanguageModelChatProvider';
  if (!(yield* hasApi(name, register, 'models of your own answer tools, but not @parley'))) return;
  const edge = yield* useEdge();
  const { secrets } = yield* useExtension();
  const models = createOwnModels(secrets, () => setting('parley.models'));
  const changed = yield* useDisposable(() => new vscode.EventEmitter<void>());
  yield* useListener(vscode.workspace.onDidChangeConfiguration, (event) => {
    if (event.affectsConfiguration('parley.models')) changed.fire();
  });
  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => models.list().map(informationOf),
    provideLanguageModelChatResponse: (info, messages, options, progress, token) =>
      edge.promise(function* () {
        const model = models.list().find((one) => informationOf(one).id === info.id);
        if (!model) {
          throw vscode.LanguageModelError.NotFound(`The setting parley.models has no ${info.name} any more.`);
        }
        let streamed = false;
        const say = (text: string) => progress.report(new vscode.LanguageModelTextPart(text));
        const answer = yield* model.respond(requestOf(messages, options), function* (text) {
          streamed = true;
          say(text);
        });
        // Some do not stream, whatever they are asked.
        if (!streamed) say(textOf(answer));
        for (const block of blocksOf(answer)) {
          if (block.type !== 'tool_use') continue;
          progress.report(new vscode.LanguageModelToolCallPart(block.id, block.name, { ...block.input }));
        }
      }, token),
    provideTokenCount: async (_, text) =>
      Math.ceil((typeof text === 'string' ? text : JSON.stringify(text.content)).length / 4),
  };
  yield* useDisposable(() => vscode.lm.registerLanguageModelChatProvider(ownVendor, provider));
}

function informationOf({ id, name, url }: OwnModel): vscode.LanguageModelChatInformation {
  return {
    // Two servers may have a model of one name.
    id: `${id} ${url}`,
    name,
    family: id,
    version: '',
    tooltip: url,
    maxInputTokens: MAX_INPUT,
    maxOutputTokens: MAX_OUTPUT,
    capabilities: { toolCalling: true, imageInput: true },
  };
}

function requestOf(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode, modelOptions = {} }: vscode.ProvideLanguageModelChatResponseOptions,
) {
  const request: LmRequest = {
    messages: messages.map(
      ({ role, content }): LmMessage => ({
        role: role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
        parts: content.flatMap((part) => fromVscodePart(part) ?? []),
      }),
    ),
    tools: tools.map(({ name, description, inputSchema = {} }) => ({ name, description, inputSchema })),
    toolMode: toolMode === vscode.LanguageModelChatToolMode.Required ? 'required' : 'auto',
    modelOptions,
  };
  return decodeRequest(request, MAX_OUTPUT);
}
