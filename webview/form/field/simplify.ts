import type { JsonSchema } from '../../../src/core/messages/json.ts';

/** Is `value` an object that can be read as a schema? */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A schema with its local `$ref` followed and a bare “or null” set apart, so that the ways in which generators write
 * the same thing look the same to the form.
 */
export function simplify(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable?: true } {
  const resolved = follow(schema, root);
  if (Array.isArray(resolved.type) && resolved.type.includes('null')) {
    const others = resolved.type.filter((type) => type !== 'null');
    if (others.length === 1) return { schema: { ...resolved, type: others[0] }, nullable: true };
  }
  const either = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(either) && either.some(isNull)) {
    const others = either.filter((option) => !isNull(option));
    if (others.length === 1 && isObject(others[0])) {
      const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = resolved;
      return { schema: { ...follow(others[0], root), ...rest }, nullable: true };
    }
  }
  return { schema: resolved };
}

/** Follows `#/$defs/…`, at most eight times: a schema may refer to itself. */
function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; hops < 8 && typeof current.$ref === 'string' && current.$ref.startsWith('#'); hops++) {
    const { $ref, ...rest } = current;
    let target: unknown = root;
    for (const part of $ref.slice(1).split('/').filter(Boolean)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
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
