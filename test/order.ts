/**
 * The order of test files: Vitest's own, or the one that follows from the number in `PARLEY_SEED` (`npm test -- --seed 57`). Tests of a
 * file stay in their order. What passes in every order depends on nothing that other files leave behind.
 */
export const order = process.env.PARLEY_SEED
  ? { shuffle: { files: true }, seed: Number(process.env.PARLEY_SEED) }
  : {};
