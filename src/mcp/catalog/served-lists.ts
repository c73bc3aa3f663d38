import type { Scope } from 'effection';
import { type Changes, createChanges } from '../changes.ts';
import { Catalog, type CatalogOffer } from './catalog.ts';
import { createSurface } from './create-surface.ts';
import type { Surface, SurfaceOptions } from './surface.ts';
import { createWatchers, type Watchers } from './watchers.ts';

/**
 * What a server offers one principal in place of what it offers by default, such as the tools of servers at which that one has logged in.
 * The same object for the same principal.
 */
export interface PersonalOffer extends CatalogOffer {
  /** A request of the principal begins. */
  use(): UsedOffer;
}

/** What a principal is offered, while a request of it runs. */
export interface UsedOffer {
  /** Resolves when the lists can be read. */
  readonly ready: Promise<void>;
  /** The request is over. */
  release(): void;
}

/** What is offered, and who is told when it changes. */
export interface ServedLists {
  readonly catalog: Catalog;
  readonly changes: Changes;
  readonly watchers: Watchers;
  readonly surface: Surface;
}

/** How lists are served. */
export interface ServedListsOptions {
  readonly listChanged?: number | false;
  readonly progressive?: boolean | SurfaceOptions;
  readonly onProblem?: (message: string, cause?: unknown) => void;
}

/** @param scope what watching resources runs in */
export function createServedLists(
  scope: Scope,
  offer: CatalogOffer,
  { listChanged = 150, progressive = false, onProblem }: ServedListsOptions,
): ServedLists {
  const catalog = new Catalog(offer);
  const changes = createChanges(catalog, listChanged);
  return {
    catalog,
    changes,
    surface: createSurface(catalog, progressive),
    watchers: createWatchers(scope, catalog, changes.resourceUpdated, (uri, cause) =>
      onProblem?.(`watching ${uri} failed`, cause),
    ),
  };
}

/** The lists of each principal, given what is offered to all of them, and to each. */
export function listsByPrincipal(
  common: ServedLists,
  personal: ((principal: string) => PersonalOffer) | undefined,
  make: (offer: PersonalOffer) => ServedLists,
): (principal: string) => ServedLists {
  if (!personal) return () => common;
  const made = new WeakMap<PersonalOffer, ServedLists>();
  return (principal) => {
    const offer = personal(principal);
    const lists = made.get(offer) ?? make(offer);
    made.set(offer, lists);
    return lists;
  };
}
