import type { StackFrame, StackMaps } from '../../workspace/load/stack-maps.ts';

/** How many errors of a chain are told. */
const mostCauses = 8;

/** An error of a chain, or whatever else was thrown. */
export interface ChainLink {
  readonly error: unknown;
  readonly frames: readonly StackFrame[];
}

/** What was thrown and what caused it, and so on; of an `AggregateError` all that it holds. A chain that bites its tail is cut. */
export function chainOf(thrown: unknown, stackMaps: Pick<StackMaps, 'frames'>): ChainLink[] {
  const chain: ChainLink[] = [];
  const next = [thrown];
  while (next.length > 0 && chain.length < mostCauses) {
    const error = next.shift();
    if (error === undefined || error === null) continue;
    const stack = typeof error === 'object' && 'stack' in error ? error.stack : undefined;
    chain.push({ error, frames: typeof stack === 'string' ? stackMaps.frames(stack) : [] });
    next.unshift(...causesOf(error));
  }
  return chain;
}

function causesOf(error: unknown): readonly unknown[] {
  if (typeof error !== 'object' || error === null) return [];
  const held: unknown = 'errors' in error ? error.errors : undefined;
  const errors: readonly unknown[] = Array.isArray(held) ? held.slice(0, mostCauses) : [];
  return 'cause' in error ? [...errors, error.cause] : errors;
}
