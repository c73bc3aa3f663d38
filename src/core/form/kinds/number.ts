import * as z from 'zod/mini';
import type { JsonSchema } from '../../messages/json.ts';
import { defined } from '../../schema/defined.ts';
import { describedAs, type FieldKind, isString, keywordsOf, plainType } from '../field-kind.ts';
import { common, real, words } from './keywords.ts';

const schema = z.object({
  type: z.enum(['number', 'integer']),
  ...common,
  minimum: real,
  maximum: real,
  default: real,
  placeholder: words,
});

/** One field for a number. */
export type NumberProperty = Readonly<z.infer<typeof schema>>;

/**
 * A number. Forms have inclusive bounds only: for integers an exclusive bound moves to the next integer; for fractions it
 * becomes inclusive, and the zod schema refuses the bound itself.
 */
export const numberKind = {
  schema,
  drawn: 'number',
  compile(node) {
    const type = plainType(node);
    if (type !== 'number' && type !== 'integer') return undefined;
    if (Array.isArray(node.enum)) return "choices are text: use z.enum(['1', '2', …])";
    const integer = type === 'integer';
    return {
      type,
      ...defined({ minimum: lowest(node, integer), maximum: highest(node, integer) }),
      ...keywordsOf(node, isString, 'placeholder'),
    };
  },
  fits: ({ type }, value) => (type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)),
  lower: ({ title, description, type, minimum, maximum, default: preset }) => ({
    type: 'string',
    description: describedAs(description, rangeWords(type, minimum, maximum)),
    ...defined({ title, default: preset?.toString() }),
  }),
  fromWire: (value) => (isString(value) && NUMBER.test(value.trim()) ? Number(value) : value),
} satisfies FieldKind<NumberProperty>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function rangeWords(type: NumberProperty['type'], minimum?: number, maximum?: number): string {
  const what = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum === undefined) return maximum === undefined ? what : `${what}, ${maximum} or less`;
  return maximum === undefined ? `${what}, ${minimum} or more` : `${what} from ${minimum} to ${maximum}`;
}

function lowest(node: JsonSchema, integer: boolean): number | undefined {
  const bounds = [numberIn(node.const), numberIn(node.minimum), numberIn(node.exclusiveMinimum)];
  if (integer) {
    bounds[1] = bounds[1] !== undefined ? Math.ceil(bounds[1]) : undefined;
    bounds[2] = bounds[2] !== undefined ? Math.floor(bounds[2]) + 1 : undefined;
  }
  const given = bounds.filter((bound) => bound !== undefined);
  // Adding 0 makes 0 of -0, which JSON does not know.
  const bound = given.length > 0 ? Math.max(...given) + 0 : undefined;
  return integer && bound === Number.MIN_SAFE_INTEGER ? undefined : bound;
}

function highest(node: JsonSchema, integer: boolean): number | undefined {
  const bounds = [numberIn(node.const), numberIn(node.maximum), numberIn(node.exclusiveMaximum)];
  if (integer) {
    bounds[1] = bounds[1] !== undefined ? Math.floor(bounds[1]) : undefined;
    bounds[2] = bounds[2] !== undefined ? Math.ceil(bounds[2]) - 1 : undefined;
  }
  const given = bounds.filter((bound) => bound !== undefined);
  const bound = given.length > 0 ? Math.min(...given) + 0 : undefined;
  // z.int() carries the range of safe integers: no person needs to read it.
  return integer && bound === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
