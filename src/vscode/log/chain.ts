import type { StackFrame, StackMaps } from '../../workspace/load/stack-maps.ts';

/** How many errors of a chain are told. */
const mostCauses = 8;

/** An error of a chain, or whatever else was thrown. */
export interface ChainLink {
  readonly error: unknown;
  readonly frames: readonly StackFrame[];
}

/** What was thrown and what caused it, and so on. A chain that bites its tail is cut. */
export function chainOf(thrown: unknown, stackMaps: Pick<StackMaps, 'frames'>): ChainLink[] {
  const chain: ChainLink[] = [];
  let error = thrown;
  while (error !== undefined && error !== null && chain.length < mostCauses) {
    const stack = typeof error === 'object' && 'stack' in error ? error.stack : undefined;
    chain.push({ error, frames: typeof stack === 'string' ? stackMaps.frames(stack) : [] });
    error = typeof error === 'object' && 'cause' in error ? error.cause : undefined;
  }
  return chain;
}
