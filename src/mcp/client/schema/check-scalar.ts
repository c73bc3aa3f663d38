import type { JsonSchema } from '../../../core/messages/json.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { StandardIssue } from '../../../core/schema/standard-schema.ts';

type Path = readonly (string | number)[];

/** What about the kind of a value does not fit: its type, or that it is none of the values named. */
export function typeProblem(
  { type, enum: values, const: only }: JsonSchema,
  value: unknown,
): string | undefined {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
  if (types && !types.some((one) => isOf(value, one))) {
    return `expected ${types.join(' or ')}, received ${kindOf(value)}`;
  }
  if (only !== undefined && isScalar(only) && value !== only) return `expected ${JSON.stringify(only)}`;
  if (Array.isArray(values) && values.every(isScalar) && !values.includes(value as never)) {
    const shown = values.slice(0, 10).map((one) => JSON.stringify(one));
    return `expected one of ${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`;
  }
  return undefined;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isOf(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      // A type of a later draft: the server knows.
      return true;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The bounds of a text. */
export function checkString(
  { minLength, maxLength }: JsonSchema,
  value: string,
  path: Path,
): StandardIssue[] {
  if (typeof minLength === 'number' && value.length < minLength) {
    return [{ path, message: `it is shorter than ${minLength} characters` }];
  }
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, message: `it is longer than ${maxLength} characters` }];
  }
  return [];
}

/** Whether a text's characters have to be counted to know that there are too many: its length alone does not say it. */
export function mustCount(value: string, most: unknown): boolean {
  return typeof most === 'number' && value.length > most && value.length <= 2 * most;
}

function isLonger(value: string, most: number): boolean {
  return mustCount(value, most) ? [...value].length > most : value.length > most;
}

/** The bounds of a number. */
export function checkNumber(schema: JsonSchema, value: number, path: Path): StandardIssue[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const below = (bound: unknown) => typeof bound === 'number' && value < bound;
  const above = (bound: unknown) => typeof bound === 'number' && value > bound;
  if (below(minimum)) return [{ path, message: `it is less than ${String(minimum)}` }];
  if (above(maximum)) return [{ path, message: `it is more than ${String(maximum)}` }];
  if (below(exclusiveMinimum) || value === exclusiveMinimum) {
    return [{ path, message: `it is not more than ${String(exclusiveMinimum)}` }];
  }
  if (above(exclusiveMaximum) || value === exclusiveMaximum) {
    return [{ path, message: `it is not less than ${String(exclusiveMaximum)}` }];
  }
  return [];
}
