import type { JsonObject, JsonValue } from '../../../src/core/messages/json.ts';
import { toLocal } from './dates.ts';
import type { Field, Raw, RawValues } from './field.ts';

/** What a field's control holds for a value; the inverse of `validateField`. */
export function rawOf(field: Field, value: JsonValue | undefined): Raw {
  if (value === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'multi':
      return Array.isArray(value) ? value.flatMap((item) => idOf(field.choices, item) ?? []) : undefined;
    case 'single':
      return idOf(field.choices, value);
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'number':
    case 'integer':
      return typeof value === 'number' ? String(value) : undefined;
    case 'string':
      if (typeof value !== 'string') return undefined;
      return field.format === 'date-time' ? toLocal(value) : value;
  }
}

/** What a form's controls hold at first: `values`, and the defaults where it has none. */
export function initialRaw(fields: readonly Field[], values: JsonObject = {}): RawValues {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      rawOf(field, Object.hasOwn(values, field.name) ? values[field.name] : field.default),
    ]),
  );
}

function idOf(choices: readonly { id: string; value: JsonValue }[], value: JsonValue): string | undefined {
  const text = JSON.stringify(value);
  return choices.find((choice) => JSON.stringify(choice.value) === text)?.id;
}
