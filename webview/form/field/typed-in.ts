import type { JsonObject, JsonValue } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { type Field, INCOMPLETE, membersOf, type Raw, type RawValues, rowsOf } from './field.ts';
import { rawOf } from './raw-of.ts';
import { validateField } from './validate-field.ts';

/** What a person has put into a form as an object: valid or not, nothing that was typed is missing. */
export function typedIn(fields: readonly Field[], raw: RawValues): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = typedInto(field, raw[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function typedInto(field: Field, raw: Raw): JsonValue | undefined {
  const checked = validateField(field, raw);
  if (checked.ok) return checked.value;
  switch (field.kind) {
    case 'group':
      return typedIn(field.fields, membersOf(raw) ?? {});
    case 'list':
      return rowsOf(raw).flatMap((row) => typedInto(field.item, row) ?? []);
    case 'record':
      return Object.fromEntries(
        rowsOf(raw).map((row) => {
          const { key, value } = membersOf(row) ?? {};
          return [String(key ?? ''), typedInto(field.value, value) ?? null];
        }),
      );
    case 'multi':
      return field.choices.flatMap(({ id, value }) => (rowsOf(raw).includes(id) ? [value] : []));
    default:
      return typeof raw === 'string' && raw !== '' && raw !== INCOMPLETE ? raw : undefined;
  }
}

/** The members of an object that a form of these fields would lose. */
export function namesLost(fields: readonly Field[], values: JsonObject): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    return field && (value === undefined || holds(field, value)) ? [] : [name];
  });
}

/** Can the field's control hold this value? It need not be valid. */
function holds(field: Field, value: JsonValue): boolean {
  if (value === null && field.nullable) return true;
  if (field.kind === 'group')
    return isObject(value) && namesLost(field.fields, value as JsonObject).length === 0;
  if (field.kind === 'record')
    return (
      isObject(value) &&
      Object.values(value as JsonObject).every((one) => one !== undefined && holds(field.value, one))
    );
  if (field.kind === 'list') return Array.isArray(value) && value.every((row) => holds(field.item, row));
  const raw = rawOf(field, value);
  if (field.kind === 'multi') return Array.isArray(value) && rowsOf(raw).length === value.length;
  return raw !== undefined && (raw === '') === (value === '');
}
