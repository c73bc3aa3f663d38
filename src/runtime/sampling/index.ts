export { checkMessages } from './check-messages.ts';
export { createSampling, type SamplingVerbs } from './sampling.ts';
export { withSamplingSteps } from './steps.ts';
export { tokensUsed } from './tokens.ts';
