import type { JsonSchema } from '../messages/json.ts';
import { compileChoices } from './form-choices.ts';
import { compileNumber } from './form-number.ts';
import type { FormProperty, StringProperty } from './form-schema.ts';

/** Follows `$ref`. */
export type Resolve = (node: JsonSchema) => JsonSchema;

/** A form field, or the words that say what to do instead. */
export type Compiled<P> = P | string;

/** Compiles one property. Reads only what it knows: annotations of others pass by. */
export function compileProperty(raw: JsonSchema, resolve: Resolve): Compiled<FormProperty> {
  const node = resolve(raw);
  const choices = compileChoices(node, resolve);
  if (choices !== undefined) return choices;
  if (Array.isArray(node.type)) return Array.from(node.type).includes('null') ? NO_NULL : ONE_TYPE;
  const combined = node.anyOf ?? node.oneOf;
  if (Array.isArray(combined)) {
    return combined.some((member) => resolve(member).type === 'null') ? NO_NULL : ONE_TYPE;
  }
  if (node.not !== undefined) return 'nothing can be entered there: leave it out';
  switch (node.type) {
    case 'string':
      return compileString(node);
    case 'number':
    case 'integer':
      return compileNumber(node);
    case 'boolean':
      return { type: 'boolean', ...labels(node), ...defaulted(node, isBoolean) };
    case 'null':
      return NO_NULL;
    case 'array':
      return 'a list is a choice among given values: use z.array(z.enum([…])), or z.string() for free text';
    case 'object':
      return 'forms do not nest: make a field of each of its properties';
    default:
      return 'say what it is: z.string(), z.number(), z.boolean(), z.enum([…]) or z.array(z.enum([…]))';
  }
}

const NO_NULL = 'a form has no null: use .optional() for a field that may be left empty';
const ONE_TYPE = 'a field has one type: use z.enum([…]) for a choice, or a field for each alternative';
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

function compileString(node: JsonSchema): StringProperty {
  const format = FORMATS.find((known) => known === node.format);
  return {
    type: 'string',
    ...labels(node),
    ...count(node, 'minLength'),
    ...count(node, 'maxLength'),
    ...(format ? { format } : {}),
    ...defaulted(node, isString),
  };
}

/** Title and description. */
export function labels(node: JsonSchema): { title?: string; description?: string } {
  return {
    ...(isString(node.title) ? { title: node.title } : {}),
    ...(isString(node.description) ? { description: node.description } : {}),
  };
}

/** A keyword that counts something. */
export function count<K extends string>(node: JsonSchema, keyword: K): { [P in K]?: number } {
  const value = node[keyword];
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { [keyword]: value } : {}
  ) as {
    [P in K]?: number;
  };
}

/** The default, if it is of the field's type: zod's default is of the output's, which a transform may change. */
export function defaulted<T>(node: JsonSchema, fits: (value: unknown) => value is T): { default?: T } {
  return fits(node.default) ? { default: node.default } : {};
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
