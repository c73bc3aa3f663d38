import type { SampleAnswer } from '../messages/sample-answer.ts';
import { ParleyError, type ParleyErrorOptions } from './errors.ts';

/** The model's side failed: network, provider, an answer that is none. */
export class SamplingError extends ParleyError {
  constructor(message: string, options?: ParleyErrorOptions) {
    super('SAMPLING', message, options);
  }
}

/** The user, or the client for them, refused the sampling. */
export class SamplingRefusedError extends ParleyError {
  constructor(
    message = 'the user did not allow this tool to use the language model. Go on without it, or ask the user to allow it.',
    options?: ParleyErrorOptions,
  ) {
    super('SAMPLING_REFUSED', message, options);
  }
}

/** There is no model to ask. */
export class NoModelError extends ParleyError {
  constructor(
    message = 'no language model is available. Sign in to a provider, or choose a model in the settings, and try again.',
    options?: ParleyErrorOptions,
  ) {
    super('SAMPLING_NO_MODEL', message, options);
  }
}

/** The model's provider has had enough of us for now. */
export class ModelQuotaError extends ParleyError {
  constructor(
    message = "the language model's quota is used up. Wait, or choose another model.",
    options?: ParleyErrorOptions,
  ) {
    super('SAMPLING_QUOTA', message, options);
  }
}

/** `sample` was called with options that do not go together. */
export class SampleOptionsError extends ParleyError {
  constructor(problem: string, options?: ErrorOptions) {
    super('SAMPLE_OPTIONS', problem, { ...options, details: { problem } });
  }
}

/** `sampleSchema` or `sampleTools` ran out of attempts. */
export class SampleValidationError extends ParleyError {
  constructor(attempts: number, problem: string, lastAnswer: SampleAnswer, options?: ErrorOptions) {
    super(
      'SAMPLE_VALIDATION',
      `the model did not give a usable answer in ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}. The last problem: ${problem}`,
      { ...options, details: { attempts, problem, lastAnswer } },
    );
  }

  /** How often the model was asked. */
  get attempts(): number {
    return Number(this.details?.attempts);
  }

  /** What was wrong with the last answer. */
  get problem(): string {
    return String(this.details?.problem);
  }

  /** The last answer, as the model gave it. */
  get lastAnswer(): SampleAnswer {
    return this.details?.lastAnswer as SampleAnswer;
  }
}
