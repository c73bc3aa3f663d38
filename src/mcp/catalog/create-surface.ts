import { toolOf } from '../../core/plugin/offer.ts';
import type { Caller } from '../caller.ts';
import { type Catalog, Index, type Served } from './catalog.ts';
import { createProgressiveSurface } from './progressive/surface.ts';
import type { Surface, SurfaceOptions } from './surface.ts';

/** The surface that a server shows: its tools as they are, or a few that search them. */
export function createSurface(catalog: Catalog, progressive: boolean | SurfaceOptions): Surface {
  const offered = perCaller(catalog);
  if (progressive !== false) {
    return createProgressiveSurface(offered, progressive === true ? {} : progressive);
  }
  return {
    listed: offered,
    resolve(caller, name, args) {
      const served = offered(caller).get(name);
      return served && { served, args };
    },
  };
}

/** The tools that a caller's `offers` lets through; computed once for each caller and state of the catalogue. */
function perCaller(catalog: Catalog): (caller: Caller) => Index<Served> {
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
