import type { JsonValue } from '../../core/messages/json.ts';

const maxData = 100_000;
const maxText = 4_000;

/** JSON that is small enough to post to a page with every snapshot; else the beginning of its text. */
export function limitJson(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= maxData ? value : `${text.slice(0, maxData)}… (${text.length} characters)`;
}

/** The beginning of a long text, for a row. */
export function limitText(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
