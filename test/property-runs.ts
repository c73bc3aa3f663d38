import fc from 'fast-check';
import { LONG } from './long.ts';

/**
 * Property tests try the same values in every run, so that a failure is about the change that is tested and not about the day.
 * To look for new ones: `FC_SEED=random FC_RUNS=5000 npm run test:unit`.
 * `npm run test:long` does.
 */
const { FC_SEED = LONG ? 'random' : '20251125', FC_RUNS = LONG ? '2000' : undefined } = process.env;

fc.configureGlobal({
  ...(FC_SEED === 'random' ? {} : { seed: Number(FC_SEED) }),
  ...(FC_RUNS === undefined ? {} : { numRuns: Number(FC_RUNS) }),
});
