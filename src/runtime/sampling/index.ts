export { checkMessages } from './check-messages.ts';
export { flattenToolBlocks } from './flatten.ts';
export { NO_ANSWER, saidSomething } from './said-something.ts';
export { createSampling, type SamplingVerbs } from './sampling.ts';
export { withSamplingSteps } from './steps.ts';
export { tokensUsed } from './tokens.ts';
export { withoutThinking } from './without-thinking.ts';
