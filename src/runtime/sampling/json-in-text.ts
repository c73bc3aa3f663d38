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

/** An answer with more brackets than this is not searched to its end: each start costs a scan. */
const MAX_STARTS = 200;

function* embedded(text: string): Generator<unknown> {
  let starts = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    if (++starts > MAX_STARTS) return;
    const end = endOfValue(text, at);
    const found = end === undefined ? undefined : parsed(text.slice(at, end));
    if (!found || end === undefined) continue;
    yield found.value;
    at = end - 1;
  }
}

/** Where the bracket that opens at `start` closes, strings skipped. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
