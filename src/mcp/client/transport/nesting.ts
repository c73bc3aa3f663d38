/** Tells a started server how many servers have started each other, this one the last. */
export const NESTING = 'PARLEY_NESTING';

/** So many may. Who serves what other servers offer may be one of those servers, and start itself for ever. */
const MOST = 3;

/**
 * What is one more than this process was told.
 *
 * @throws `Error` where that is too many
 */
export function nextNesting(own: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const told = Number(own[NESTING] ?? 0);
  const nesting = Number.isInteger(told) && told >= 0 ? told : 0;
  if (nesting < MOST) return String(nesting + 1);
  throw new Error(
    `${MOST} servers have started each other, so this one is not started. If one of them starts itself, remove it from its own file.`,
  );
}
