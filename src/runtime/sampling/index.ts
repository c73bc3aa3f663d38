export { flattenToolBlocks } from './flatten.ts';
export { DEFAULT_MAX_TOKENS } from './request.ts';
export { createSampling, type SamplingEnv, type SamplingVerbs } from './sampling.ts';
export { withSamplingSteps } from './steps.ts';
export { tokensUsed } from './tokens.ts';
