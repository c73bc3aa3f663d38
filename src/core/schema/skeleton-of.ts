import type { JsonSchema, JsonValue } from '../messages/json.ts';
import { isObject } from './is-object.ts';

/** An example of the shape that a schema describes, to be filled in: required members, one row of each list. */
export function skeletonOf(schema: JsonSchema, depth = 0): JsonValue {
  if (schema.default !== undefined) return schema.default as JsonValue;
  if ('const' in schema) return schema.const as JsonValue;
  if (Array.isArray(schema.enum)) return (schema.enum[0] ?? null) as JsonValue;
  const [either] = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray);
  if (either && isObject(either[0])) return skeletonOf(either[0], depth);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return depth < 4 && isObject(schema.items) ? [skeletonOf(schema.items, depth + 1)] : [];
    default:
      return depth < 4 ? membersOf(schema, depth) : {};
  }
}

function membersOf({ properties, required }: JsonSchema, depth: number): JsonValue {
  const all = Object.entries(isObject(properties) ? properties : {});
  const needed = all.filter(([name]) => Array.isArray(required) && required.includes(name));
  return Object.fromEntries(
    (needed.length > 0 ? needed : all).map(([name, member]) => [
      name,
      isObject(member) ? skeletonOf(member, depth + 1) : null,
    ]),
  );
}
