/**
 * The JSON values that a text may mean, the likeliest first: the whole text, or else what is fenced or embedded in prose, the last of
 * it first, for drafts come before what is meant. Models that were asked for data answer in all of these ways.
 *
 * @example
 * jsonInText('Sure!\n```json\n{"n": 1}\n```')[0] // { n: 1 }
 */
export function jsonInText(text: string): readonly unknown[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const whole = parsed(trimmed);
  if (whole) return [whole.value];
  const all = [...fencedBlocks(trimmed), ...embeddedJson(trimmed)];
  return all.sort((a, b) => b.end - a.end).map(({ value }) => value);
}

/** A value and where it is in its text. */
interface Found {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What is between fences; the last may be open, as when the answer was cut off. */
function* fencedBlocks(text: string): Generator<Found> {
  let start: number | undefined;
  for (const { 0: fence, index } of [
    ...text.matchAll(/^[ \t]*(?:```|~~~)[^\n]*$/gm),
    { 0: '', index: text.length },
  ]) {
    const found = start === undefined ? undefined : parsed(text.slice(start, index));
    if (start !== undefined && found) yield { value: found.value, start, end: index };
    start = start === undefined ? index + fence.length : undefined;
  }
}

/** What may be read of a text, for each of its characters: one that never fits is not read again from each bracket on. */
const TIMES = 8;
/** Characters of a short text that may be read in any case. */
const AT_LEAST = 1_000_000;
/** What looking at one value costs in any case: most of it goes into the error that says it is none. */
const ONE_VALUE = 1_000;

/** What is embedded in a text, in its order. */
export function* embeddedJson(text: string): Generator<Found> {
  let left = Math.max(AT_LEAST, TIMES * text.length);
  let brackets: Brackets | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    brackets ??= new Int32Array(text.length);
    if (brackets[at] === UNSEEN) left -= matchBrackets(text, at, brackets) - at;
    const end = brackets[at] ?? OPEN;
    if (end !== OPEN) left -= Math.max(ONE_VALUE, end - at);
    if (left < 0) return;
    if (end === OPEN) continue;
    const found = parsed(text.slice(at, end));
    if (!found) continue;
    yield { value: found.value, start: at, end };
    at = end - 1;
  }
}

/** For each opening bracket that was read as one: behind which character its value ends. */
type Brackets = Int32Array;
const UNSEEN = 0;
const OPEN = -1;

/**
 * Finds where the brackets close that open at `start` or within its value, strings skipped: all in one go, for most starts lie within
 * another. Gives how far it read.
 */
function matchBrackets(text: string, start: number, ends: Brackets): number {
  const open: number[] = [];
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (ends[at] === UNSEEN) ends[at] = OPEN;
      open.push(at);
    } else if (char === '}' || char === ']') {
      ends[open.pop() ?? start] = at + 1;
      if (open.length === 0) return at + 1;
    }
  }
  return text.length;
}
