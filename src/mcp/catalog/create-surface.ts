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

/**
 * The tools that a caller's `offers` lets through, without those that only tools call; computed once for each caller and state of the
 * catalogue.
 */
function perCaller(catalog: Catalog): (caller: Caller) => Index<Served> {
  let of: Index<Served> | undefined;
  let listed: Index<Served>;
  let known: WeakMap<Caller, Index<Served>>;
  return (caller) => {
    const { tools } = catalog;
    const { offers } = caller;
    if (of !== tools) {
      of = tools;
      listed = only(tools, (served) => !toolOf(served).def.foreign?.unlisted);
      known = new WeakMap();
    }
    if (!offers) return listed;
    const found = known.get(caller) ?? only(listed, offers);
    known.set(caller, found);
    return found;
  };
}

function only({ items, keyOf }: Index<Served>, offers: (served: Served) => boolean): Index<Served> {
  return new Index(items.filter(offers), keyOf);
}
