import type { JsonValue } from '../messages/json.ts';
import { defined } from '../schema/defined.ts';
import type { FormJsonSchema } from './form-schema.ts';
import { type FormProperty, kindOfField } from './kinds.ts';

/** The keywords of MCP's restricted schema (2025-11-25, `PrimitiveSchemaDefinition`), lists of choices included. */
const KEYWORDS = new Set([
  ...['type', 'title', 'description', 'default', 'format', 'enum', 'enumNames', 'oneOf', 'items'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
]);

/**
 * A form as any MCP client understands it: without Parley's hints, and with a list of texts as one text of lines,
 * and the heading of a page with the first of its fields.
 */
export function wireForm(form: FormJsonSchema): FormJsonSchema {
  const known = made.get(form);
  if (known) return known;
  const wire = Object.freeze(wireFormOf(form));
  // A tool asks with the form that it declares; what could still be changed is made anew.
  if (Object.isFrozen(form)) made.set(form, wire);
  return wire;
}

const made = new WeakMap<FormJsonSchema, FormJsonSchema>();

function wireFormOf({ type, properties, required }: FormJsonSchema): FormJsonSchema {
  let page: string | undefined;
  const fields = Object.entries(properties).map(([name, property]) => {
    const begins = property.page !== undefined && property.page !== page;
    page = property.page ?? page;
    const field = wireProperty(property);
    const description = begins && page ? [page, field.description].filter(Boolean).join('\n') : undefined;
    return [name, Object.freeze({ ...field, ...defined({ description }) })] as const;
  });
  return { type, properties: Object.freeze(Object.fromEntries(fields)), ...defined({ required }) };
}

/** The answer to a form that came over the wire or from a page: where a list was asked for, a text is its lines. */
export function fromWireForm({ properties }: FormJsonSchema, content: JsonValue): JsonValue {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const kind =
        Object.hasOwn(properties, name) && properties[name] ? kindOfField(properties[name]) : undefined;
      return [name, value === undefined ? value : (kind?.fromWire?.(value) ?? value)];
    }),
  );
}

function wireProperty(property: FormProperty): FormProperty {
  const kept = Object.fromEntries(
    Object.entries(property).filter(([keyword]) => KEYWORDS.has(keyword)),
  ) as FormProperty;
  return kindOfField(property)?.wire?.(kept) ?? kept;
}
