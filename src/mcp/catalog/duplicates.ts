import { toolOf } from '../../core/plugin/offer.ts';
import { asPrompt, asResource } from '../../core/served/served-guards.ts';
import type { CatalogOffer, Listed } from './catalog.ts';

/** What of an offer has a name that an earlier one of its kind has: clients can reach the first one only. */
export function duplicates(offer: CatalogOffer, lists: 'fixed' | 'changing'): readonly string[] {
  const chosen = <T>(listed: Listed<T> | undefined): readonly T[] => {
    if (listed === undefined) return [];
    if (!('subscribe' in listed)) return lists === 'fixed' ? listed : [];
    return lists === 'changing' ? listed.list() : [];
  };
  const seen = new Set<string>();
  return [
    ...chosen(offer.tools).map((served) => `tool '${toolOf(served).name}'`),
    ...chosen(offer.prompts).map((served) => `prompt '${asPrompt(served).name}'`),
    ...chosen(offer.resources).map((served) => {
      const { info } = asResource(served).def;
      return 'uri' in info ? `resource '${info.uri}'` : `resource template '${info.uriTemplate}'`;
    }),
  ].filter((name) => seen.has(name) || !seen.add(name));
}
