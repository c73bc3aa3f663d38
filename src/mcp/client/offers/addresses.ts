import { type MatchBudget, matchBudget } from '../../../core/served/match-parts.ts';
import { compileUriTemplate, type UriTemplate } from '../../../core/served/uri-template.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { ServerOffers } from './read-offers.ts';

/** Lookups whose cost the links of one result may come to, at the most that one may cost. */
const LOOKUPS = 20;

/** Under which addresses our clients see the resources of a server. */
export interface Addresses {
  /** The address, or the template of addresses, that clients see. */
  outside(uri: string): string;
  /** What the server calls an address that clients see. */
  inside(address: string): string;
  /** As clients see it where it is an address of the server; any other as it is. The links of one result share a budget. */
  link(uri: string, budget: MatchBudget): string;
}

/** The server's own, for whoever deals with one server at a time. */
export const THEIR_OWN: Addresses = {
  outside: (uri) => uri,
  inside: (address) => address,
  link: (uri) => uri,
};

/**
 * Addresses that say whose they are, for clients that see many servers as one: so no server can take the address of another, nor
 * one of ours, whatever it lists and however wide its templates are.
 *
 * @example
 * addressesOf(github).outside('repo://parley/readme') // 'parley:github/repo://parley/readme'
 */
export function addressesOf(connection: Pick<ServerConnection, 'name' | 'offers'>): Addresses {
  const prefix = `parley:${encodeURIComponent(connection.name)}/`;
  const outside = (uri: string) => `${prefix}${uri}`;
  return {
    outside,
    inside: (address) => (address.startsWith(prefix) ? address.slice(prefix.length) : address),
    link: (uri, budget) => (has(connection.offers(), uri, budget) ? outside(uri) : uri),
  };
}

/** Whether a client of ours could read it: what a server only mentions, such as a page of the web, is not its own. */
function has(offers: ServerOffers, uri: string, budget: MatchBudget): boolean {
  const known = readable.get(offers) ?? readableOf(offers);
  readable.set(offers, known);
  return known.uris.has(uri) || known.templates.some((template) => template.match(uri, budget) !== undefined);
}

interface ReadableUris {
  readonly uris: ReadonlySet<string>;
  readonly templates: readonly UriTemplate[];
}

const readable = new WeakMap<ServerOffers, ReadableUris>();

function readableOf({ resources, templates }: ServerOffers): ReadableUris {
  return {
    uris: new Set(resources.map(({ uri }) => uri)),
    templates: templates.flatMap(({ uriTemplate }) => {
      try {
        return [compileUriTemplate(uriTemplate)];
      } catch {
        // It is left out of what we offer, too.
        return [];
      }
    }),
  };
}

interface Block {
  readonly type: string;
}

function isAddressed({ type }: Block): boolean {
  return type === 'resource_link' || type === 'resource';
}

/** What is looked up for the links of one result: what a server makes costlier than this keeps its own addresses. */
export function linkBudget(): MatchBudget {
  return matchBudget(LOOKUPS);
}

/** The content of a server's result, with its links and its resources under the addresses that clients see. */
export function readdressed<B extends Block>(
  content: readonly B[],
  { link }: Addresses,
  budget = linkBudget(),
): readonly B[] {
  if (!content.some(isAddressed)) return content;
  return content.map((block) => {
    if (block.type === 'resource_link' && 'uri' in block && typeof block.uri === 'string')
      return { ...block, uri: link(block.uri, budget) };
    if (block.type !== 'resource' || !('resource' in block)) return block;
    const resource = block.resource as { readonly uri: string };
    return { ...block, resource: { ...resource, uri: link(resource.uri, budget) } };
  });
}
