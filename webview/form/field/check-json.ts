import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { t } from '../../parts/l10n.ts';

/**
 * The first thing about `value` that breaks `schema`, for a person, or `undefined`. Knows the keywords that people get
 * wrong (type, enum, const, required, properties, items, additionalProperties) and passes over the rest: the session
 * checks everything, this only tells sooner.
 */
export function checkJson(schema: JsonSchema, value: JsonValue, path = ''): string | undefined {
  const at = path === '' ? '' : `${path}: `;
  if ('const' in schema && !same(schema.const, value))
    return at + t('expected {0}.', JSON.stringify(schema.const));
  if (Array.isArray(schema.enum) && !schema.enum.some((option) => same(option, value))) {
    return at + t('expected one of {0}.', schema.enum.map((option) => JSON.stringify(option)).join(', '));
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return (
      at + t('expected {0}.', types.map((type) => typeNames()[String(type)] ?? String(type)).join(t(' or ')))
    );
  }
  if (Array.isArray(value)) return checkItems(schema, value, path);
  return isObject(value) ? checkMembers(schema, value as Record<string, JsonValue>, path, at) : undefined;
}

const typeNames = (): Readonly<Record<string, string>> => ({
  object: t('an object, such as { … }'),
  array: t('a list, such as [ … ]'),
  string: t('quoted text'),
  number: t('a number'),
  integer: t('a whole number'),
  boolean: t('true or false'),
  null: 'null',
});

function checkItems(schema: JsonSchema, value: readonly JsonValue[], path: string): string | undefined {
  if (!isObject(schema.items)) return undefined;
  for (const [index, item] of value.entries()) {
    const problem = checkJson(schema.items, item, `${path}[${index}]`);
    if (problem) return problem;
  }
  return undefined;
}

function checkMembers(
  schema: JsonSchema,
  value: Readonly<Record<string, JsonValue>>,
  path: string,
  at: string,
): string | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, name)) return at + t('“{0}” is missing.', name);
  }
  for (const [name, member] of Object.entries(value)) {
    const rule = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (rule === false) return at + t('“{0}” is not expected here.', name);
    const problem = isObject(rule)
      ? checkJson(rule, member, path === '' ? name : `${path}.${name}`)
      : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function hasType(value: JsonValue, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
