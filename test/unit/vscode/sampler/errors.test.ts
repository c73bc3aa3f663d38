import { describe, expect, it } from 'vitest';
import { ParleyError } from '#src/core/errors/errors.ts';
import { noModelError, samplingError } from '#src/vscode/calls/sampler/errors.ts';

const lm = (code: string, message: string) => Object.assign(new Error(message), { code });
const named = (name: string) => Object.assign(new Error(name), { name });

describe('samplingError', () => {
  it.each([
    [
      lm('NoPermissions', 'not now'),
      'SAMPLING_REFUSED',
      'The use of the model demo/echo was not allowed: not now',
    ],
    [
      named('Canceled'),
      'SAMPLING_REFUSED',
      'The request to the model demo/echo was cancelled in the editor.',
    ],
    [lm('NotFound', 'gone'), 'SAMPLING_NO_MODEL', 'The model demo/echo is not available any more: gone'],
    [
      lm('Blocked', 'quota exceeded'),
      'SAMPLING_QUOTA',
      'The model demo/echo does not take more requests now: quota exceeded',
    ],
    [
      lm('Blocked', 'content policy'),
      'SAMPLING_REFUSED',
      'The model demo/echo blocked the request: content policy',
    ],
    [
      new Error('Rate limit hit'),
      'SAMPLING_QUOTA',
      'The model demo/echo does not take more requests now: Rate limit hit',
    ],
    [
      new TypeError('fetch failed', { cause: lm('ECONNREFUSED', 'connect') }),
      'SAMPLING',
      'The model demo/echo could not be reached: fetch failed',
    ],
    [
      new Error('weird', { cause: lm('EAI_AGAIN', 'dns') }),
      'SAMPLING',
      'The model demo/echo could not be reached: weird',
    ],
    [new Error('Network error'), 'SAMPLING', 'The model demo/echo could not be reached: Network error'],
    ...[
      'prompt token count of 138392 exceeds the limit of 128000 (model_max_prompt_tokens_exceeded)',
      'context_length_exceeded',
      'prompt is too long: 210000 tokens > 200000 maximum',
      'input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000',
    ].map(
      (said) =>
        [new Error(said), 'SAMPLING', `The request was too long for the model demo/echo: ${said}`] as const,
    ),
    [
      new Error('You exceeded your current quota'),
      'SAMPLING_QUOTA',
      'The model demo/echo does not take more requests now: You exceeded your current quota',
    ],
    [new Error('boom'), 'SAMPLING', 'The model demo/echo failed: boom'],
    ['a string', 'SAMPLING', 'The model demo/echo failed: a string'],
    [
      undefined,
      'SAMPLING',
      'The model demo/echo failed: something that is not an error was thrown: undefined',
    ],
  ] as const)('turns %s into %s', (thrown, code, message) => {
    const error = samplingError(thrown, 'demo/echo');
    expect(error).toMatchObject({ code, message });
    expect(error.details).toEqual({ model: 'demo/echo' });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('leaves our own errors as they are', () => {
    const ours = new ParleyError('SAMPLING_NO_MODEL', 'none');
    expect(samplingError(ours, 'x')).toBe(ours);
  });
});

describe('noModelError', () => {
  it('says what to do', () => {
    expect(noModelError('').message).toContain('Sign in to Copilot');
    expect(noModelError('copilot/x').message).toContain('"copilot/x"');
  });
});
