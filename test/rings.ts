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
