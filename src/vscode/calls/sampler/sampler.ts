import type { Operation } from 'effection';
import { scoped } from 'effection';
import * as vscode from 'vscode';
import type { SampleAnswer, SampleAskRequest } from '../../../core/tool/ask.ts';
import { fromThenable, useCancellation } from '../../bridge.ts';
import type { Log } from '../../log/log.ts';
import { callsTools } from './calls-tools.ts';
import { modelKey } from './choose-model.ts';
import { createCollector } from './collect.ts';
import { encodeRequest } from './encode.ts';
import { samplingError } from './errors.ts';
import type { LastModel } from './last-model.ts';
import { pickModel } from './models.ts';
import type { OwnModels } from './own-models.ts';
import { fromVscodePart, toVscodeMessage, toVscodeOptions } from './to-vscode.ts';

/** What a sampling knows of its call. */
export interface SamplerIo {
  /** For the editor's consent dialog and the log. */
  readonly title: string;
  /** Runs what may open the consent dialog: the call's clock stands still meanwhile. */
  consent<T>(op: () => Operation<T>): Operation<T>;
  /** A model given by the caller (a chat's own); the choice by setting, hints and default otherwise. */
  readonly model?: vscode.LanguageModelChat | undefined;
}

/** Answers samplings with the editor's models. Halting it cancels the request. */
export interface Sampler {
  /** @throws `NoModelError`, `SamplingRefusedError`, `ModelQuotaError`, `SamplingError`, each with its cause. */
  sample(request: SampleAskRequest, io: SamplerIo): Operation<SampleAnswer>;
  /** The person uses this model with Parley: samplings that nobody gave a model go there, too. */
  prefer(model: vscode.LanguageModelChat): void;
}

/** A sampler over `vscode.lm`, and the person's own models. */
export function createSampler(
  access: vscode.LanguageModelAccessInformation,
  log: Log,
  last: LastModel,
  own: OwnModels,
): Sampler {
  return {
    prefer(model) {
      last.set(modelKey(model));
    },
    *sample(request, io) {
      const picked = io.model
        ? { chat: io.model }
        : yield* pickModel(request.modelPreferences, { access, last, own, consent: io.consent });
      const key = modelKey('own' in picked ? picked.own : picked.chat);
      log.debug(`${io.title} asks the model ${key}`, {
        messages: request.messages.length,
        maxTokens: request.maxTokens,
      });
      try {
        if ('own' in picked) return yield* picked.own.respond(request);
        return yield* scoped(() => ask(picked.chat, key, request, io, access));
      } catch (thrown) {
        const error = samplingError(thrown, key);
        log.warn(`${io.title}: ${error.message}`, error);
        throw error;
      }
    },
  };
}

function* ask(
  model: vscode.LanguageModelChat,
  key: string,
  request: SampleAskRequest,
  io: SamplerIo,
  access: vscode.LanguageModelAccessInformation,
): Operation<SampleAnswer> {
  const encoded = encodeRequest(request, callsTools(model));
  const token = yield* useCancellation(vscode.CancellationTokenSource);
  const justification = vscode.l10n.t('The tool “{0}” asks a language model.', io.title);
  const send = () =>
    fromThenable(
      model.sendRequest(
        encoded.messages.map(toVscodeMessage),
        toVscodeOptions(encoded, justification),
        token,
      ),
    );
  const response = yield* access.canSendRequest(model) === true ? send() : io.consent(send);
  const collector = createCollector(request.stopSequences);
  // Errors of the provider come while iterating, not from `sendRequest`.
  const stream = response.stream[Symbol.asyncIterator]();
  for (;;) {
    const next = yield* fromThenable(stream.next());
    if (next.done) break;
    const part = fromVscodePart(next.value);
    // Leaving the scope cancels the token, and with it the rest of the answer.
    if (part && collector.add(part)) break;
  }
  return collector.answer(key);
}
