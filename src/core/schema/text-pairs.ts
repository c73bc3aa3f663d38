/** The pairs of texts in what was kept as a list of them; what is none is left out. */
export function textPairsIn(kept: unknown): [string, string][] {
  return Array.isArray(kept) ? kept.filter(isTextPair) : [];
}

function isTextPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
