import { isObject } from './is-object.ts';
import type { StandardIssue } from './standard-schema.ts';

type Raw = Readonly<Record<string, unknown>>;

/** How zod, 3 and 4, says what its author has no words for. */
const UNWORDED =
  /^(?:Invalid (?:input|option|string|number|literal|enum|discriminator|key in|value in|element|lowercase|uppercase)\b|Invalid (?:email(?: address)?|url|(?:ISO )?(?:datetime|date|time|duration))$|Too (?:small|big):|Unrecognized key|Required$|Expected .+, received |(?:String|Number|Array|Set|Date|BigInt) must )/i;

/**
 * What is wrong with a value, in words for people and models. A sentence of the author's stays as it is; in place of one that zod
 * made, and of the codes of its kind, stands what the value must be.
 *
 * @param root the whole of what was checked
 */
export function issueWords(issue: StandardIssue, root: unknown): string {
  const raw: Raw = { ...issue };
  if (raw.code === undefined || !UNWORDED.test(issue.message)) return issue.message;
  const value = stepsOf(issue).reduce(fieldOf, root);
  const words = wordsOf(raw, value) ?? 'does not fit';
  return value === undefined && words.startsWith('must ') ? `is missing: it ${words}` : words;
}

/** Where the issue is, step by step. */
export function stepsOf({ path = [] }: StandardIssue): readonly PropertyKey[] {
  return path.map((step) => (typeof step === 'object' ? step.key : step));
}

function fieldOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

function wordsOf(issue: Raw, value?: unknown): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(issue.expected, value);
    case 'invalid_value':
    case 'invalid_enum_value':
    case 'invalid_literal':
      return oneOf(issue.values ?? issue.options ?? [issue.expected]);
    case 'too_small':
      return atLeast(issue);
    case 'too_big':
      return atMost(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor ?? issue.multipleOf}`;
    case 'invalid_format':
    case 'invalid_string':
      return formatted(issue);
    case 'unrecognized_keys':
      return `has ${listed(issue.keys)}, which is not known here`;
    case 'invalid_union':
    case 'invalid_union_discriminator':
      return union(issue);
    case 'invalid_key':
    case 'invalid_element':
      return inside(issue);
    default:
      return undefined;
  }
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['number', 'a number'],
  ['nan', 'a number'],
  ['int', 'a whole number'],
  ['integer', 'a whole number'],
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

function mustBe(expected: unknown, value: unknown): string {
  if (expected === 'never') return 'must be left out';
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const given = TYPES.get(type);
  const wanted = TYPES.get(expected) ?? `a ${String(expected)}`;
  // What is almost right is not told apart.
  const says = given !== undefined && type !== 'boolean' && !wanted.endsWith(given.slice(2));
  return says ? `must be ${wanted}, not ${given}` : `must be ${wanted}`;
}

/** Most values that are listed. */
const MOST = 20;

function listed(values: unknown): string {
  const all = Array.isArray(values) ? values : [values];
  const shown = all.slice(0, MOST).map((one) => (typeof one === 'string' ? `'${one}'` : String(one)));
  return `${shown.join(', ')}${all.length > MOST ? ` and ${all.length - MOST} more` : ''}`;
}

function oneOf(values: unknown): string {
  return Array.isArray(values) && values.length > 1
    ? `must be one of ${listed(values)}`
    : `must be ${listed(values)}`;
}

/** What is counted of what has a size; nothing of a number. */
const COUNTED: ReadonlyMap<unknown, string> = new Map([
  ['string', 'character'],
  ['array', 'item'],
  ['set', 'item'],
  ['map', 'item'],
  ['file', 'byte'],
]);

function atLeast({ minimum, inclusive, exact, origin, type }: Raw): string {
  const unit = COUNTED.get(origin ?? type);
  if (unit === undefined) return inclusive ? `must be ${minimum} or more` : `must be more than ${minimum}`;
  if (exact) return `must have exactly ${counted(minimum, unit)}`;
  return minimum === 1 ? 'must not be empty' : `must have ${counted(minimum, unit)} or more`;
}

function atMost({ maximum, inclusive, exact, origin, type }: Raw): string {
  const unit = COUNTED.get(origin ?? type);
  if (unit === undefined) return inclusive ? `must be ${maximum} or less` : `must be less than ${maximum}`;
  return exact
    ? `must have exactly ${counted(maximum, unit)}`
    : `must have ${counted(maximum, unit)} or fewer`;
}

function counted(number: unknown, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['email', 'must be an email address, such as ada@example.com'],
  ['url', 'must be an address, such as https://example.com'],
  ['datetime', 'must be a date and time, such as 2026-05-17T09:30:00Z'],
  ['date', 'must be a date, such as 2026-05-17'],
  ['time', 'must be a time, such as 09:30:00'],
  ['duration', 'must be a duration, such as PT1H30M'],
  ['lowercase', 'must be in small letters'],
  ['uppercase', 'must be in capital letters'],
]);

function formatted(issue: Raw): string {
  const { format = issue.validation, pattern, prefix, suffix, includes } = issue;
  if (typeof prefix === 'string') return `must begin with '${prefix}'`;
  if (typeof suffix === 'string') return `must end with '${suffix}'`;
  if (typeof includes === 'string') return `must have '${includes}' in it`;
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  return typeof pattern === 'string' ? `must match the pattern ${pattern}` : 'must have another form';
}

/** Alternatives that are told, and how deep they nest. */
const TOLD = 4;

function union(issue: Raw): string | undefined {
  if (Array.isArray(issue.options)) return oneOf(issue.options);
  const branches = (Array.isArray(issue.errors) ? issue.errors : issue.unionErrors) as unknown;
  if (!Array.isArray(branches)) return undefined;
  const firsts = branches
    .map((branch: unknown) => firstOf(isObject(branch) && 'issues' in branch ? branch.issues : branch))
    .filter((first) => first !== undefined);
  const values = firsts.map((first) =>
    pathOf(first) === '' ? (first.values ?? [first.expected]) : undefined,
  );
  if (firsts.every(({ code }, at) => code === 'invalid_value' && values[at])) return oneOf(values.flat());
  const told = [...new Set(firsts.map(nested))].slice(0, TOLD);
  return told.length === 0 ? undefined : told.join(', or ');
}

function inside(issue: Raw): string {
  const first = firstOf(issue.issues);
  return `has a ${issue.code === 'invalid_key' ? 'name' : 'value'} that ${first ? nested(first) : 'does not fit'}`;
}

function nested(issue: Raw): string {
  const path = pathOf(issue);
  const words = wordsOf(issue) ?? 'does not fit';
  return path === '' ? words : `its ${path} ${words}`;
}

function firstOf(issues: unknown): Raw | undefined {
  return Array.isArray(issues) && isObject(issues[0]) ? issues[0] : undefined;
}

function pathOf({ path }: Raw): string {
  return Array.isArray(path) ? path.map(String).join('.') : '';
}
