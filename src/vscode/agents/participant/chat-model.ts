import { type Operation, scoped } from 'effection';
import * as vscode from 'vscode';
import type { ChatModel } from '../../../chat/model.ts';
import type { SampleAnswer } from '../../../core/tool/ask.ts';
import { fromThenable, useCancellation } from '../../bridge.ts';
import { callsTools } from '../../calls/sampler/calls-tools.ts';
import { modelKey } from '../../calls/sampler/choose-model.ts';
import { createCollector } from '../../calls/sampler/collect.ts';
import { encodeRequest } from '../../calls/sampler/encode.ts';
import { samplingError } from '../../calls/sampler/errors.ts';
import { fromVscodePart, toVscodeMessage, toVscodeOptions } from '../../calls/sampler/to-vscode.ts';

/** The model that the person chose in the chat, as the chat engine's. */
export function chatModelOf(model: vscode.LanguageModelChat): ChatModel {
  const key = modelKey(model);

  function* respond(
    request: Parameters<ChatModel['respond']>[0],
    onText: (text: string) => Operation<void>,
  ): Operation<SampleAnswer> {
    const token = yield* useCancellation(vscode.CancellationTokenSource);
    // How long an answer may be is the chat's own business: no options go with it.
    const asked = { ...request, maxTokens: model.maxInputTokens };
    const encoded = { ...encodeRequest(asked, callsTools(model)), modelOptions: {} };
    const justification = vscode.l10n.t('@parley answers with the model of this chat.');
    const messages = encoded.messages.map(toVscodeMessage);
    const options = toVscodeOptions(encoded, justification);
    const response = yield* fromThenable(model.sendRequest(messages, options, token));
    const collector = createCollector();
    const stream = response.stream[Symbol.asyncIterator]();
    for (;;) {
      const next = yield* fromThenable(stream.next());
      if (next.done) break;
      const part = fromVscodePart(next.value);
      if (!part) continue;
      collector.add(part);
      if (part.type === 'text') yield* onText(part.text);
    }
    return collector.answer(key);
  }

  return {
    *respond(request, onText) {
      try {
        return yield* scoped(() => respond(request, onText));
      } catch (thrown) {
        throw samplingError(thrown, key);
      }
    },
  };
}
