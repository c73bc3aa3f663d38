import type { JsonObject, JsonValue } from './json.ts';
import { readableName } from './readable-name.ts';

/** Parameters for one line: each with its name in words, and its value cut short. */
export function summaryOf(params: JsonObject): { readonly name: string; readonly value: string }[] {
  return Object.entries(params).map(([name, value]) => ({
    name: readableName(name).toLowerCase(),
    value: brief(value),
  }));
}

/** A value on a line: long ones are cut. */
export function brief(value: JsonValue | undefined): string {
  const text = typeof value !== 'object' || value === null ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
