const call = /\b(?:l10n\.t|t)\(\s*'((?:[^'\\]|\\.)*)'/g;

/**
 * The English texts that a source hands to `vscode.l10n.t` (or to a `t` that stands for it), in order. They are the keys of
 * `l10n/bundle.l10n.json`, which translators start from.
 */
export function textsOf(source: string): string[] {
  return [...source.matchAll(call)].map(([, text]) => (text ?? '').replaceAll(/\\(.)/g, '$1'));
}

/** `l10n/bundle.l10n.json`: every text of these sources, sorted, under itself. */
export function createBundle(sources: readonly string[]): Readonly<Record<string, string>> {
  const texts = [...new Set(sources.flatMap(textsOf))].sort();
  return Object.fromEntries(texts.map((text) => [text, text]));
}
