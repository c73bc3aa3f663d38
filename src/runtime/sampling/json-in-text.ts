/**
 * The JSON values that a text may mean, the likeliest first: the whole text, each fenced block, then what is embedded
 * in prose. Models that were asked for data answer in all of these ways.
 *
 * @example
 * jsonInText('Sure!\n```json\n{"n": 1}\n```').next() // { value: { n: 1 }, done: false }
 */
export function* jsonInText(text: string): Generator<unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return;
  const whole = parsed(trimmed);
  if (whole) {
    yield whole.value;
    return;
  }
  for (const block of fencedBlocks(trimmed)) {
    const found = parsed(block);
    if (found) yield found.value;
  }
  yield* embedded(trimmed);
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What stands between fences; the last may be open, as when the answer was cut off. */
function* fencedBlocks(text: string): Generator<string> {
  const parts = text.split(/^[ \t]*(?:```|~~~)[^\n]*$/m);
  for (let i = 1; i < parts.length; i += 2) yield (parts[i] ?? '').trim();
}

/** What may be read of a text, for each of its characters: one that never fits is not read again from each bracket on. */
const TIMES = 8;
/** Characters of a short text that may be read in any case. */
const AT_LEAST = 1_000_000;
/** What looking at one value costs in any case: most of it goes into the error that says it is none. */
const ONE_VALUE = 1_000;

function* embedded(text: string): Generator<unknown> {
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
    yield found.value;
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
