import { ParleyError, type ParleyErrorOptions, toError } from '../../../core/errors/parley-error.ts';
import {
  ModelQuotaError,
  NoModelError,
  SamplingError,
  SamplingRefusedError,
} from '../../../core/errors/sampling-errors.ts';
import { isCancellation } from '../../bridge.ts';

const quota = /quota|rate.?limit|too many requests|\b429\b|exceeded|exhausted/i;
const network =
  /network|fetch failed|socket|offline|timed? ?out|\b(?:ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ERR_[A-Z_]+)\b/i;
/** It says that something is “exceeded”, too, and no waiting helps. */
const tooLong =
  /context[_ ]?(?:length|window|limit)|prompt is too long|(?:prompt|input)[_ ]tokens?.{0,60}exceed/i;

/** There is no model at all, or not the one that was chosen. */
export function noModelError(wanted: string): ParleyError {
  return wanted === ''
    ? new NoModelError(
        'No language model is available in this editor. Sign in to Copilot, install an extension that provides a model, or run “Parley: Add Model…”, then try again.',
      )
    : new NoModelError(
        `The model "${wanted}" of the setting parley.sampling.model is not available. Choose another one, or clear the setting.`,
        { details: { model: wanted } },
      );
}

/**
 * What `vscode.lm` threw, from `sendRequest` or while streaming, as one of our sampling errors with the cause kept.
 * Providers throw whatever they like: `LanguageModelError` by its code, cancellation by its name, the rest by its text.
 */
export function samplingError(thrown: unknown, model: string): ParleyError {
  // One of this very module: what the sampler throws crosses no realm.
  if (thrown instanceof ParleyError) return thrown;
  const error = toError(thrown);
  const said = error.message.trim() === '' ? error.name : error.message.trim();
  const options: ParleyErrorOptions = { cause: error, details: { model } };
  if (isCancellation(error) || error.name === 'CancellationError') {
    return new SamplingRefusedError(
      `The request to the model ${model} was cancelled in the editor.`,
      options,
    );
  }
  switch (codeOf(error)) {
    case 'NoPermissions':
      return new SamplingRefusedError(`The use of the model ${model} was not allowed: ${said}`, options);
    case 'NotFound':
      return new NoModelError(`The model ${model} is not available any more: ${said}`, options);
    case 'Blocked':
      // For too many requests, or for what is in this one.
      if (quota.test(`${said} ${causesOf(error)}`)) break;
      return new SamplingRefusedError(`The model ${model} blocked the request: ${said}`, options);
  }
  const text = `${said} ${causesOf(error)}`;
  if (tooLong.test(text)) {
    return new SamplingError(`The request was too long for the model ${model}: ${said}`, options);
  }
  if (quota.test(text)) {
    return new ModelQuotaError(`The model ${model} does not take more requests now: ${said}`, options);
  }
  if (network.test(text))
    return new SamplingError(`The model ${model} could not be reached: ${said}`, options);
  return new SamplingError(`The model ${model} failed: ${said}`, options);
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

function causesOf(error: Error): string {
  const texts: string[] = [];
  for (
    let cause = error.cause, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth++
  ) {
    texts.push(`${cause.name} ${String(codeOf(cause) ?? '')} ${cause.message}`);
  }
  return texts.join(' ');
}
