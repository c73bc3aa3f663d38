/** A piece of a template: text as it stands, or a variable that takes at least one character. */
export type TemplatePart = { readonly literal: string } | { readonly takes: 'segment' | 'rest' };

/** No place. */
const NONE = -1;

/**
 * What the variables of a template take of a text, each as much as it can, the first one first; `undefined` where the template
 * does not make the text. It takes time in proportion to both lengths: an expression would try every way to share
 * a text among several variables.
 */
export function matchParts(parts: readonly TemplatePart[], text: string): readonly string[] | undefined {
  // Cheap, and most templates are out by it.
  const [first] = parts;
  if (first && 'literal' in first && !text.startsWith(first.literal)) return undefined;
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
    if (isBarrier(text[at] ?? '', takes)) last = NONE;
    ends[at] = last;
  }
  return ends;
}

/** What a variable cannot take. */
function isBarrier(character: string, takes: 'segment' | 'rest'): boolean {
  return takes === 'segment' ? /[/?#]/.test(character) : /[\n\r\u2028\u2029]/.test(character);
}
