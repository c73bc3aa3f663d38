import type { SampleAnswer } from '../messages/sample-answer.ts';
import { defineError } from './define-error.ts';

/** The model's side failed: network, provider, an answer that is none. */
export const SamplingError = defineError('SAMPLING', 'SamplingError');

/** The user, or the client for them, refused the sampling. */
export const SamplingRefusedError = defineError(
  'SAMPLING_REFUSED',
  'SamplingRefusedError',
  'the user did not allow this tool to use the language model. Continue without it, or ask the user to allow it.',
);

/** There is no model to ask. */
export const NoModelError = defineError(
  'SAMPLING_NO_MODEL',
  'NoModelError',
  'no language model is available. Sign in to a provider, or choose a model in the settings, and try again.',
);

/** The model's provider has had enough of us for now. */
export const ModelQuotaError = defineError(
  'SAMPLING_QUOTA',
  'ModelQuotaError',
  "the language model's quota is used up. Wait, or choose another model.",
);

/** `sample` was called with options that do not go together. */
export const SampleOptionsError = defineError('SAMPLE_OPTIONS', 'SampleOptionsError');

/** `sampleSchema` or `sampleTools` ran out of attempts. */
export const SampleValidationError = defineError(
  'SAMPLE_VALIDATION',
  'SampleValidationError',
  ({ attempts, problem }: { attempts: number; problem: string; lastAnswer: SampleAnswer }) =>
    `the model did not give a usable answer in ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}. The last problem: ${problem}`,
);
