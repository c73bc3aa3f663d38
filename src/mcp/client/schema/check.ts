import type { JsonSchema } from '../../../core/messages/json.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { StandardIssue } from '../../../core/schema/standard-schema.ts';

type Path = readonly (string | number)[];

/** Issues that are told of one value. */
const MOST = 20;

/** Items of a list that are looked at. */
const LOOKED = 1_000;

/** Levels that are looked at. */
const DEEPEST = 20;

/**
 * What about an object does not fit the JSON Schema of a stranger, as far as its fields say it. No regular expression is run, no reference is followed, no code is made. What is not understood fits.
 */
export function problemsOf(schema: JsonSchema, value: unknown): readonly StandardIssue[] {
  return issuesAt({ ...schema, type: 'object' }, value, []).slice(0, MOST);
}

function issuesIn(
  { properties, required }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: Path,
): StandardIssue[] {
  if (path.length > DEEPEST) return [];
  const fields = isObject(properties) ? properties : {};
  const missing = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    .map((name) => ({ path: [...path, String(name)], message: 'it is required' }));
  const wrong = Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    // Nothing, said outright: what may be left out may be that.
    return isObject(field) && one !== undefined && one !== null ? issuesAt(field, one, [...path, name]) : [];
  });
  return [...missing, ...wrong];
}

/** The same for any value: what is wrong at which place. */
export function issuesAt(schema: JsonSchema, value: unknown, path: Path): StandardIssue[] {
  const problem = typeProblem(schema, value);
  if (problem !== undefined) return [{ path, message: problem }];
  if (typeof value === 'string') return checkString(schema, value, path);
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (isObject(value)) return issuesIn(schema, value, path);
  if (!Array.isArray(value)) return [];
  const { items, minItems, maxItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    return [{ path, message: `there are fewer than ${minItems}` }];
  if (typeof maxItems === 'number' && value.length > maxItems)
    return [{ path, message: `there are more than ${maxItems}` }];
  if (!isObject(items)) return [];
  return value.slice(0, LOOKED).flatMap((one, index) => issuesAt(items, one, [...path, index]));
}

/** What about the kind of a value does not fit: its type, or that it is none of the values named. */
function typeProblem({ type, enum: values, const: only }: JsonSchema, value: unknown): string | undefined {
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
function checkString({ minLength, maxLength }: JsonSchema, value: string, path: Path): StandardIssue[] {
  if (typeof minLength === 'number' && value.length < minLength) {
    return [{ path, message: `it is shorter than ${minLength} characters` }];
  }
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) {
    return [{ path, message: `it is longer than ${maxLength} characters` }];
  }
  return [];
}

/** By its length alone, where that says it; else its characters are counted. */
function isLonger(value: string, most: number): boolean {
  return value.length > most && (value.length > 2 * most || [...value].length > most);
}

/** The bounds of a number. */
function checkNumber(schema: JsonSchema, value: number, path: Path): StandardIssue[] {
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
