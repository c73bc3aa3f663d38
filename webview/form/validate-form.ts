import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { errorsAt } from './field/checked.ts';
import type { RawValues } from './field/field.ts';
import { type Field, validateField } from './kinds.ts';

/** A whole form's answer, or what is wrong by the path of the field, in the order of the fields. */
export type CheckedForm =
  | { ok: true; content: JsonObject }
  | { ok: false; errors: ReadonlyMap<string, string> };

/** Checks every field; optional fields that are left empty are left out. */
export function validateForm(fields: readonly Field[], raw: RawValues): CheckedForm {
  const content: [string, JsonValue][] = [];
  const errors = new Map<string, string>();
  for (const field of fields) {
    const checked = validateField(field, raw[field.name]);
    if (!checked.ok) for (const [path, error] of errorsAt(field.name, checked)) errors.set(path, error);
    else if (checked.value !== undefined) content.push([field.name, checked.value]);
  }
  // `fromEntries` defines own properties, so a field called `__proto__` stays a field.
  return errors.size > 0 ? { ok: false, errors } : { ok: true, content: Object.fromEntries(content) };
}
