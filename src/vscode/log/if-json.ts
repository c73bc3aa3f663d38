import type { JsonValue } from '../../core/messages/json.ts';

/** A value as JSON, if it is some. */
export function ifJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
