import { asLabel } from './label.ts';

/**
 * A name in words: `departureDate` and `departure_date` become “Departure date”. Abbreviations stay.
 */
export function readableName(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .trim()
    .split(/\s+/)
    .map((word, at) => (at > 0 && !/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word));
  const text = words.join(' ');
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

/** A tool, as far as its title goes. */
interface Titled {
  readonly name: string;
  readonly def: {
    readonly title?: string | undefined;
    readonly annotations: { readonly title?: string | undefined };
    readonly foreign?: { readonly server: string } | undefined;
  };
}

/**
 * What people read as a tool's title; where it has none, its name in words: `slow_count` is “Slow count”. For eyes only: on the wire a
 * tool without a title has none.
 */
export function shownTitle({ name, def }: Titled): string {
  return asLabel(def.title ?? def.annotations.title ?? '') || readableName(name);
}

/** The title where a person decides about a call: with the server that has the tool, which may call it what another tool is called. */
export function titleToDecide(tool: Titled, title = shownTitle(tool)): string {
  const { foreign } = tool.def;
  return !foreign || title.startsWith(`${foreign.server}/`) ? title : `${foreign.server}: ${title}`;
}
