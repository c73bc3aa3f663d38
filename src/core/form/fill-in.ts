import { namesSecret } from '../messages/secrets/secret-names.ts';
import type { FormJsonSchema } from './form-schema.ts';
import { type FormProperty, kindOfField } from './kinds.ts';

/** Values to begin with, by field. */
export type FormValues = Readonly<Record<string, unknown>>;

/**
 * A form whose fields begin with these values, as their defaults: still a form that every client knows. `undefined` leaves a field
 * as it is. @returns what is wrong, for its author, when a value has no field or cannot stand in it
 */
export function fillIn(form: FormJsonSchema, values: FormValues): FormJsonSchema | string {
  const properties: Record<string, FormProperty> = { ...form.properties };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const property = Object.hasOwn(form.properties, name) ? form.properties[name] : undefined;
    if (!property) {
      return `'values' has '${name}', which is no field of the question (its fields: ${Object.keys(form.properties).join(', ')})`;
    }
    const kind = kindOfField(property);
    if (!kind?.fits(property, value))
      return `'values' has something for '${name}' that is no ${kind?.called ?? property.type}`;
    begin(properties, name, property, value);
  }
  return { ...form, properties };
}

/** The same, of what was answered to another version of the question: what has no place in it is left out, and so are secrets. */
export function fillInAgain(form: FormJsonSchema, values: FormValues): FormJsonSchema {
  const properties: Record<string, FormProperty> = { ...form.properties };
  for (const [name, property] of Object.entries(form.properties)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (kindOfField(property)?.fits(property, value) && !namesSecret(name))
      begin(properties, name, property, value);
  }
  return { ...form, properties };
}

function begin(
  properties: Record<string, FormProperty>,
  name: string,
  property: FormProperty,
  value: unknown,
): void {
  const filled = { ...property, default: value } as FormProperty;
  Object.defineProperty(properties, name, { value: filled, enumerable: true });
}
