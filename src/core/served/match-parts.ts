/** A piece of a template: text as it stands, or a variable that takes at least one character. */
export type TemplatePart = { readonly literal: string } | { readonly takes: 'segment' | 'rest' };

/** Characters times parts that one lookup may cost, over all templates that an address is held against: some milliseconds. */
const MOST_WORK = 1_000_000;

/** What matching may still cost. Templates of strangers can be made to cost as much as they like. */
export interface MatchBudget {
  left: number;
}

/** A budget for so many lookups. */
export function matchBudget(lookups = 1): MatchBudget {
  return { left: lookups * MOST_WORK };
}

/** No place. */
const NONE = -1;

/**
 * What the variables of a template take of a text, each as much as it can, the first one first; `undefined` where the template
 * does not make the text. It takes time in proportion to both lengths: an expression would try every way to share
 * a text among several variables. Beyond the budget nothing is made by any template.
 */
export function matchParts(
  parts: readonly TemplatePart[],
  text: string,
  budget: MatchBudget,
): readonly string[] | undefined {
  // Cheap, and most templates are out by it.
  const [first] = parts;
  if (first && 'literal' in first && !text.startsWith(first.literal)) return undefined;
  budget.left -= parts.length * text.length;
  if (budget.left < 0) return undefined;
  // From behind: for each part and place, where the part ends if it begins there and all after it fit.
  const ends: Int32Array[] = [];
  let next = new Int32Array(text.length + 1).fill(NONE);
  next[text.length] = text.length;
  for (const part of [...parts].reverse()) {
    next = 'literal' in part ? literalEnds(part.literal, text, next) : variableEnds(part.takes, text, next);
    ends.unshift(next);
  }
  const taken: string[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const end = ends[index]?.[at] ?? NONE;
    if (end === NONE) return undefined;
    if ('takes' in part) taken.push(text.slice(at, end));
    at = end;
  }
  return taken;
}

function literalEnds(literal: string, text: string, next: Int32Array): Int32Array<ArrayBuffer> {
  const ends = new Int32Array(text.length + 1).fill(NONE);
  for (let end = literal.length; end <= text.length; end++) {
    const at = end - literal.length;
    if (next[end] !== NONE && text.startsWith(literal, at)) ends[at] = end;
  }
  return ends;
}

function variableEnds(takes: 'segment' | 'rest', text: string, next: Int32Array): Int32Array<ArrayBuffer> {
  const ends = new Int32Array(text.length + 1).fill(NONE);
  // The last place, up to which a variable may reach from here, where what follows fits.
  let last = NONE;
  for (let at = text.length - 1; at >= 0; at--) {
    if (last === NONE && next[at + 1] !== NONE) last = at + 1;
    if (isBarrier(text.charCodeAt(at), takes)) last = NONE;
    ends[at] = last;
  }
  return ends;
}

/** What a variable cannot take: `/`, `?` and `#` for a segment, ends of lines for the rest. */
function isBarrier(code: number, takes: 'segment' | 'rest'): boolean {
  if (takes === 'segment') return code === 0x2f || code === 0x3f || code === 0x23;
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}
