import type { JsonSchema } from '../../../src/core/messages/json.ts';
import { nameOfStep } from '../../../src/core/schema/decoded.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';

/**
 * A schema with its local `$ref` followed and a bare “or null” set apart, so that the ways in which generators write
 * the same thing look the same to the form. Of a thing or its text, it is what a person fills in: a tick for a boolean, text for a number,
 * a form for what may also be JSON in a string.
 */
export function simplify(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable?: true } {
  const { schema: one, ...rest } = withoutNull(schema, root);
  return { schema: withoutText(one, root), ...rest };
}

function withoutNull(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable?: true } {
  const resolved = follow(schema, root);
  if (Array.isArray(resolved.type) && resolved.type.includes('null')) {
    const [type, ...more] = resolved.type.filter((one) => one !== 'null');
    return { schema: { ...resolved, type: more.length === 0 ? type : [type, ...more] }, nullable: true };
  }
  const either = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(either) && either.some(isNull)) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = resolved;
    const [only, ...more] = either.filter((option) => !isNull(option));
    if (more.length > 0) return { schema: { ...rest, anyOf: [only, ...more] }, nullable: true };
    if (isObject(only)) return { schema: { ...follow(only, root), ...rest }, nullable: true };
  }
  return { schema: resolved };
}

/** Of two types or options of which one is text, the one to fill in. */
function withoutText(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [other, ...more] = schema.type.filter((type) => type !== 'string');
    if (more.length > 0 || other === undefined) return schema;
    if (schema.type.length === 1) return { ...schema, type: other };
    return { ...schema, type: NUMBERS.has(other) ? 'string' : other };
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(either) || either.length !== 2) return schema;
  const options = either.map((option) => (isObject(option) ? follow(option, root) : {}));
  const text = options.find(({ type }) => type === 'string');
  const other = options.find(({ type }) => type !== 'string');
  if (!text || !other || ![text, other].every(isPlain)) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  return { ...(NUMBERS.has(other.type) ? text : other), ...rest };
}

const NUMBERS = new Set<unknown>(['number', 'integer']);

/** Whether it is any value of its type: choices are for the form to show. */
function isPlain({ type, enum: choices, const: only }: JsonSchema): boolean {
  return typeof type === 'string' && choices === undefined && only === undefined;
}

/** Follows `#/$defs/…`, at most eight times: a schema may refer to itself. */
function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; hops < 8 && typeof current.$ref === 'string' && current.$ref.startsWith('#'); hops++) {
    const { $ref, ...rest } = current;
    let target: unknown = root;
    for (const part of $ref.slice(1).split('/').filter(Boolean)) {
      const key = nameOfStep(part);
      target = isObject(target) ? target[key] : undefined;
    }
    if (!isObject(target)) return rest;
    current = { ...target, ...rest };
  }
  return current;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema.type === 'null' || schema.const === null);
}
