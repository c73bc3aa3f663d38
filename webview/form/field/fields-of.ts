import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';
import { humanize } from '../../parts/humanize.ts';
import { choicesOf } from './choices-of.ts';
import type { Field } from './field.ts';
import { isObject, simplify } from './simplify.ts';

/**
 * The fields of a form for any JSON Schema of an object: those of the restricted elicitation schema for what it can
 * express, and a JSON field for everything else. Used for questions and for the parameters of Run Tool… alike.
 *
 * @example
 * fieldsOf({ type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] })
 * // [{ kind: 'integer', name: 'seats', title: 'Seats', required: true, minimum: 1, … }]
 */
export function fieldsOf(schema: JsonSchema): Field[] {
  const root = simplify(schema, schema).schema;
  const required = new Set(Array.isArray(root.required) ? root.required : []);
  return Object.entries(isObject(root.properties) ? root.properties : {}).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, required.has(name), schema),
  );
}

function fieldOf(name: string, property: JsonSchema, required: boolean, root: JsonSchema): Field {
  const { schema, nullable } = simplify(property, root);
  const base = {
    name,
    title: text(schema.title) ?? humanize(name),
    description: text(schema.description),
    required,
    default: schema.default as JsonValue | undefined,
    nullable,
  };
  const choices = choicesOf(schema);
  if (choices) return { ...base, kind: 'single', choices };
  switch (schema.type) {
    case 'string':
      return {
        ...base,
        kind: 'string',
        format: format(schema.format),
        minLength: number(schema.minLength),
        maxLength: number(schema.maxLength),
        pattern: text(schema.pattern),
      };
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: schema.type,
        minimum: number(schema.minimum),
        maximum: number(schema.maximum),
        exclusiveMinimum: number(schema.exclusiveMinimum),
        exclusiveMaximum: number(schema.exclusiveMaximum),
        multipleOf: number(schema.multipleOf),
      };
    case 'boolean':
      // A tick cannot say `null`.
      return nullable ? { ...base, kind: 'json', schema: property } : { ...base, kind: 'boolean' };
    case 'array': {
      const items = isObject(schema.items) ? choicesOf(simplify(schema.items, root).schema) : undefined;
      if (!items || nullable) break;
      return {
        ...base,
        kind: 'multi',
        choices: items,
        minItems: number(schema.minItems),
        maxItems: number(schema.maxItems),
      };
    }
  }
  return { ...base, kind: 'json', schema: property };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function format(value: unknown): 'email' | 'uri' | 'date' | 'date-time' | undefined {
  return value === 'email' || value === 'uri' || value === 'date' || value === 'date-time'
    ? value
    : undefined;
}
