/** Whether suites run in their long form, by `npm run test:long`: chaos, attack, every kind of each. */
export const LONG = process.env.PARLEY_LONG === '1';
