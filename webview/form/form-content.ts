import type { FormContent, FormValue } from '../../src/core/form/form-schema.ts';
import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';

/** The part of a form's answer that elicitation can carry: all of it, for a form of the restricted schema. */
export function toFormContent(content: JsonObject): FormContent {
  return Object.fromEntries(
    Object.entries(content).filter((entry): entry is [string, FormValue] => isFormValue(entry[1])),
  );
}

function isFormValue(value: JsonValue | undefined): value is FormValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
