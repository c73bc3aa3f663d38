import type { JsonSchema } from '../messages/json.ts';
import { defined } from '../schema/defined.ts';
import { type Compiled, defaulted, labels, textKeyword } from './form-keywords.ts';
import type { NumberProperty } from './form-schema.ts';

/**
 * Compiles a number. Forms have inclusive bounds only: for integers an exclusive bound moves to the next integer; for
 * fractions it becomes inclusive, and the zod schema refuses the bound itself.
 */
export function compileNumber(node: JsonSchema): Compiled<NumberProperty> {
  if (Array.isArray(node.enum)) return "choices are text: use z.enum(['1', '2', …])";
  const integer = node.type === 'integer';
  const minimum = lowest(node, integer);
  const maximum = highest(node, integer);
  return {
    type: integer ? 'integer' : 'number',
    ...labels(node),
    ...defined({ minimum, maximum }),
    ...textKeyword(node, 'placeholder'),
    ...defaulted(node, (value): value is number => typeof value === 'number' && Number.isFinite(value)),
  };
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
