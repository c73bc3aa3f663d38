import type { JsonSchema } from '../messages/json.ts';
import { isObject } from '../schema/is-object.ts';
import { enumNamesProblem } from './enum-names.ts';
import { compileChoices } from './form-choices.ts';
import {
  type Compiled,
  countKeyword,
  defaulted,
  flagKeyword,
  isString,
  labels,
  type Resolve,
  textKeyword,
} from './form-keywords.ts';
import { compileNumber } from './form-number.ts';
import type { FormProperty, ListProperty, StringProperty } from './form-schema.ts';

/** Compiles one property. Reads only what it knows: annotations of others pass by. */
export function compileProperty(raw: JsonSchema, resolve: Resolve): Compiled<FormProperty> {
  const node = resolve(raw);
  const names = enumNamesProblem(node);
  if (names !== undefined) return names;
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
      if (node.format === 'binary') return 'a form takes no files: use z.string() for a path';
      return compileString(node);
    case 'number':
    case 'integer':
      return compileNumber(node);
    case 'boolean':
      return { type: 'boolean', ...labels(node), ...defaulted(node, isBoolean) };
    case 'null':
      return NO_NULL;
    case 'array':
      return compileList(node, resolve);
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
    ...countKeyword(node, 'minLength'),
    ...countKeyword(node, 'maxLength'),
    ...(format ? { format } : {}),
    ...defaulted(node, isString),
    ...flagKeyword(node, 'multiline'),
    ...textKeyword(node, 'placeholder'),
    ...textKeyword(node, 'noteOn'),
    ...picked(node.pick),
  };
}

const PICKS = ['file', 'folder', 'place'] as const;

function picked(given: unknown): Pick<StringProperty, 'pick'> {
  const pick = PICKS.find((known) => known === given);
  return pick ? { pick } : {};
}

/** A list of texts. What a text of it must look like is checked with the schema itself, as the protocol has no lists. */
function compileList(node: JsonSchema, resolve: Resolve): Compiled<ListProperty> {
  const item = isObject(node.items) ? resolve(node.items) : {};
  if (item.type !== 'string' || item.format === 'binary') {
    return 'a list is of texts or of choices: use z.array(z.string()) or z.array(z.enum([…]))';
  }
  return {
    type: 'array',
    ...labels(node),
    ...countKeyword(node, 'minItems'),
    ...countKeyword(node, 'maxItems'),
    items: {
      type: 'string',
      ...countKeyword(item, 'minLength'),
      ...countKeyword(item, 'maxLength'),
      ...textKeyword(item, 'format'),
    },
    ...defaulted(node, (value): value is string[] => Array.isArray(value) && value.every(isString)),
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
