/** How long a test waits for what will come, in milliseconds: a machine may be ten times slower than this one. */
export const PATIENCE = 30_000;
