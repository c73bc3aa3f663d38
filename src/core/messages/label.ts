import { withoutEscapes } from './without-escapes.ts';

/** What is no part of a line: what breaks it, cannot be seen, or turns it around. Joiners stay: scripts and emoji need them. */
const UNFIT =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Characters that are looked at for each that is shown: there may be much that is not. */
const LOOKED = 10;

/**
 * A text of a stranger as a label: one line of what can be seen, and not a long one. For titles and names; nothing is left of what
 * cannot be seen at all.
 *
 * @param most characters, with the mark that it went on
 */
export function asLabel(text: string, most = 200): string {
  const line = withoutEscapes(text.slice(0, most * LOOKED))
    .replace(UNFIT, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const seen = Array.from(line);
  return seen.length <= most
    ? line
    : `${seen
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
