import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { JsonSchema } from '../messages/json.ts';
import { isObject } from '../schema/is-object.ts';
import { jsonSchemaOf } from '../schema/json-schema-of.ts';
import { pointed } from '../schema/pointed.ts';
import type { Schema } from '../schema/schema.ts';
import { isString, keywordsOf } from './field-kind.ts';
import type { FormJsonSchema } from './form-schema.ts';
import { compileProperty, type FormProperty } from './kinds.ts';

/** Where a form schema stands, for errors. An inline question has no key. */
export interface FormSource {
  /** `tool 'book_flight'`. */
  readonly of: string;
  readonly key?: string;
}

/**
 * Compiles a zod schema into the restricted schema of an MCP form: one flat object of text, numbers, yes/no, one choice
 * or several. Constraints that the protocol cannot say (patterns, `multipleOf`, exclusive bounds of fractions) are left
 * out or widened: the answer is checked with the zod schema itself, and asked again when it does not fit.
 *
 * Titles come from `.meta({ title })`; titled choices from `z.enum([…]).meta({ enumNames: […] })` or from a union of
 * literals with titles. `legacyEnumNames` instead of `enumNames` sends titles the way old clients read them.
 *
 * @throws `ToolDefinitionError` naming what asks, key and property, for anything that is not a form field.
 * @see MCP 2025-11-25, "Elicitation", `PrimitiveSchemaDefinition`
 *
 * @example
 * compileFormSchema(z.object({ seats: z.int().positive() }), { of: "tool 'book_flight'", key: 'pickSeat' })
 * // { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] }
 */
export function compileFormSchema(schema: Schema, place: FormSource): FormJsonSchema {
  const where =
    place.key === undefined ? `a question of ${place.of}` : `elicitation '${place.key}' of ${place.of}`;
  const root = jsonSchemaOf(schema, 'input', where, { anyDefault: place.key === undefined });
  const resolve = (node: JsonSchema) => resolved(node, root);
  const object = resolve(root);
  const properties = object.properties;
  if (object.type !== 'object' || !isObject(properties)) {
    throw new ToolDefinitionError(
      `${where}: an answer is one flat object of form fields: use z.object({ … }) with a property for each field`,
      { details: { ...place } },
    );
  }
  const fields: Record<string, FormProperty> = {};
  for (const [name, node] of Object.entries(properties)) {
    const field = compileProperty(node as JsonSchema, resolve);
    if (typeof field === 'string') {
      throw new ToolDefinitionError(`${where}: the property '${name}' is not a form field: ${field}`, {
        details: { ...place, property: name },
      });
    }
    // A property called `__proto__` has to become a property, too.
    Object.defineProperty(fields, name, { value: Object.freeze(field), enumerable: true });
  }
  const required = Array.isArray(object.required) ? (object.required as readonly string[]) : [];
  return Object.freeze({
    type: 'object',
    properties: Object.freeze(fields),
    ...(required.length > 0 ? { required: Object.freeze([...required]) } : {}),
    ...keywordsOf(object, isString, 'action'),
    ...(object.decline === false ? { decline: false } : {}),
  });
}

/** Follows `$ref` inside the document: schemas with an id are referred to rather than repeated. */
function resolved(node: JsonSchema, root: JsonSchema): JsonSchema {
  let at: JsonSchema = node;
  for (let hops = 0; typeof at.$ref === 'string' && hops < 20; hops++) {
    const target = pointed(root, at.$ref);
    if (!isObject(target)) return {};
    const { $ref: _, ...beside } = at;
    at = { ...target, ...beside };
  }
  return at;
}
