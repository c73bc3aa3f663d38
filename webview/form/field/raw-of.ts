import type { JsonObject, JsonValue } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { toLocal } from './dates.ts';
import { type Choice, type Field, OWN, type Raw, type RawValues } from './field.ts';

/** What a field's control holds for a value; the inverse of `validateField`. */
export function rawOf(field: Field, value: JsonValue | undefined): Raw {
  if (value === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'multi':
      return Array.isArray(value) ? value.flatMap((item) => idOf(field.choices, item) ?? []) : undefined;
    case 'single':
      return (
        idOf(field.choices, value) ?? (field.other && typeof value === 'string' ? OWN + value : undefined)
      );
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'number':
    case 'integer':
      return typeof value === 'number' ? String(value) : undefined;
    case 'string':
      if (typeof value !== 'string') return undefined;
      return field.format === 'date-time' ? toLocal(value) : value;
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => rawOf(field.item, item) ?? blankOf(field.item))
        : undefined;
    case 'group':
      return isObject(value) ? initialRaw(field.fields, value as JsonObject) : undefined;
    case 'record':
      return isObject(value)
        ? Object.entries(value as JsonObject).map(([key, member]) => ({
            key,
            value: rawOf(field.value, member),
          }))
        : undefined;
  }
  // A kind that is not above does not compile.
  return field satisfies never;
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

/** What a new row of a list holds. */
export function blankOf(field: Field): Raw {
  if (field.kind === 'group') return initialRaw(field.fields);
  if (field.kind === 'list' || field.kind === 'record' || field.kind === 'multi') return [];
  return rawOf(field, field.default) ?? '';
}

function idOf(choices: readonly Choice[], value: JsonValue): string | undefined {
  const text = JSON.stringify(value);
  return choices.find((choice) => JSON.stringify(choice.value) === text)?.id;
}
