import { isObject } from '../../../core/schema/is-object.ts';

/** In the `_meta` of what a server has from another one: how many servers it has come through. */
const THROUGH = 'parley/through';

/**
 * So many may be passed through. Servers that name each other in a circle would offer each other what comes round again and again, under a
 * longer name each time.
 */
export const MOST_THROUGH = 3;

interface Offered {
  readonly _meta?: unknown;
}

/** Whether it has come through too many servers to be offered on. */
export function isThroughTooMany(offered: Offered): boolean {
  return throughOf(offered) >= MOST_THROUGH;
}

/** What whoever is offered it on is told of that. Nothing else of its `_meta` is: here it would pass for ours. */
export function offeredOn(offered: Offered): { readonly _meta: Readonly<Record<string, number>> } {
  return { _meta: { [THROUGH]: throughOf(offered) + 1 } };
}

function throughOf({ _meta }: Offered): number {
  const through = isObject(_meta) ? _meta[THROUGH] : undefined;
  return typeof through === 'number' && through > 0 ? through : 0;
}
