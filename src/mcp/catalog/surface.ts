import type { Caller } from '../host.ts';
import { type Catalog, Index, type Served, toolOf } from './catalog.ts';

/** When and how a catalogue is shown as a few tools that search it. */
export interface SurfaceOptions {
  /** Catalogues with at most so many tools are listed as they are; 0 by default. */
  readonly above?: number;
}

/** Which tools a caller sees, and which it may call. */
export interface Surface {
  listed(caller: Caller): Index<Served>;
  callable(caller: Caller): Index<Served>;
}

/** The surface that a server shows. */
export function createSurface(catalog: Catalog, _progressive: boolean | SurfaceOptions): Surface {
  const offered = perCaller(catalog);
  return { listed: offered, callable: offered };
}

/** The tools that a caller's `offers` lets through; computed once for each caller and state of the catalogue. */
export function perCaller(catalog: Catalog): (caller: Caller) => Index<Served> {
  let of: Index<Served> | undefined;
  let known = new WeakMap<Caller, Index<Served>>();
  return (caller) => {
    const { tools } = catalog;
    const { offers } = caller;
    if (!offers) return tools;
    if (of !== tools) {
      of = tools;
      known = new WeakMap();
    }
    const found = known.get(caller) ?? new Index(tools.items.filter(offers), (served) => toolOf(served).name);
    known.set(caller, found);
    return found;
  };
}
