/**
 * The tag of a test in the second ring: `npm run test:long` runs it, `npm test` does not. `test/rings.json` says for each which test of
 * the first ring fails for the same mistake. A test takes it in its options, a file in a comment: `// @module-tag long`; Mocha, which has
 * no tags, finds `@long` in a title.
 */
export const LONG_TAG = 'long';

/** For a configuration of Vitest. */
export const tags = [
  { name: LONG_TAG, description: 'Runs with npm run test:long; test/rings.json says why.' },
];

/** Whether only the first ring runs: in `npm test`, not where a file is named. */
export const inFirstRing = () => process.env.PARLEY_FIRST_RING === '1';

/** The rows of a test for `each`: in the first ring the first ones, in the second the others, too. */
export function inRings<T>(first: readonly T[], others: readonly T[]): readonly T[] {
  return inFirstRing() ? first : [...first, ...others];
}
