import { isParleyError, ParleyError, toError } from '../../core/errors.ts';

const quota = /quota|rate.?limit|too many requests|\b429\b|exceeded|exhausted/i;
const network =
  /network|fetch failed|socket|offline|timed? ?out|\b(?:ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ERR_[A-Z_]+)\b/;

/** There is no model at all, or not the one that was chosen. */
export function noModelError(wanted: string): ParleyError {
  return wanted === ''
    ? new ParleyError(
        'SAMPLING_NO_MODEL',
        'No language model is available in this editor. Sign in to Copilot or install an extension that provides a model, then try again.',
      )
    : new ParleyError(
        'SAMPLING_NO_MODEL',
        `The model "${wanted}" of the setting parley.sampling.model is not available. Choose another one, or clear the setting.`,
        { details: { model: wanted } },
      );
}

/**
 * What `vscode.lm` threw, from `sendRequest` or while streaming, as one of our sampling errors with the cause kept.
 * Providers throw whatever they like: `LanguageModelError` by its code, cancellation by its name, the rest by its text.
 */
export function samplingError(thrown: unknown, model: string): ParleyError {
  if (isParleyError(thrown)) return thrown;
  const error = toError(thrown);
  const said = error.message.trim() === '' ? error.name : error.message.trim();
  const make = (
    code: 'SAMPLING' | 'SAMPLING_REFUSED' | 'SAMPLING_NO_MODEL' | 'SAMPLING_QUOTA',
    text: string,
  ) => new ParleyError(code, text, { cause: error, details: { model } });
  if (error.name === 'Canceled' || error.name === 'CancellationError') {
    return make('SAMPLING_REFUSED', `The request to the model ${model} was cancelled in the editor.`);
  }
  switch (codeOf(error)) {
    case 'NoPermissions':
      return make('SAMPLING_REFUSED', `The use of the model ${model} was not allowed: ${said}`);
    case 'NotFound':
      return make('SAMPLING_NO_MODEL', `The model ${model} is not available any more: ${said}`);
    case 'Blocked':
      return make('SAMPLING_QUOTA', `The model ${model} does not take more requests now: ${said}`);
  }
  const text = `${said} ${causesOf(error)}`;
  if (quota.test(text)) {
    return make('SAMPLING_QUOTA', `The model ${model} does not take more requests now: ${said}`);
  }
  if (network.test(text)) return make('SAMPLING', `The model ${model} could not be reached: ${said}`);
  return make('SAMPLING', `The model ${model} failed: ${said}`);
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
