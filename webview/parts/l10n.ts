let texts: Readonly<Record<string, string>> = {};

/**
 * Takes the translations that the host has put into the document: JSON, English text → text. Without them, or where they are
 * not what they should be, the page speaks English.
 */
export function readTexts(json: string | undefined): void {
  texts = {};
  if (json === undefined) return;
  try {
    const given: unknown = JSON.parse(json);
    if (typeof given !== 'object' || given === null) return;
    texts = Object.fromEntries(Object.entries(given).filter(([, text]) => typeof text === 'string'));
  } catch {
    // English, then.
  }
}

/**
 * A text of the page in the editor's language, with `{0}`, `{1}`, … filled in. The English is written out at each call: the
 * build collects them from there into `l10n/bundle.l10n.json`.
 */
export function t(message: string, ...values: readonly (string | number)[]): string {
  const text = Object.hasOwn(texts, message) ? (texts[message] ?? message) : message;
  return text.replaceAll(/\{(\d+)\}/g, (place, at: string) => String(values[Number(at)] ?? place));
}
