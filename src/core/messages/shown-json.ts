/** What cannot be seen, or makes text run backwards. */
export const UNSEEN =
  /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\u034f|[\u{e0000}-\u{e0fff}]/gu;

/**
 * JSON for a person who decides about it: what cannot be seen in it, or would turn it around, is written as an escape of JSON. It is the
 * same value, also when it is edited.
 */
export function shownJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return withoutUnseen(text);
}

/** A text with its lines as they are, in which what cannot be seen is an escape of JSON. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
