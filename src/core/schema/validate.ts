import { type Operation, until } from 'effection';
import { toError } from '../errors/parley-error.ts';
import { issueWords, stepsOf } from './issue-words.ts';
import type { OutputOf, Schema } from './schema.ts';
import type { StandardIssue, StandardResult } from './standard-schema.ts';

/** One thing that is wrong with a value: `path` as in `seats[2].row`, empty for the value as a whole. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What validating gives: the parsed value, or what is wrong, as one sentence and one by one. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string; readonly issues: readonly Issue[] };

/**
 * Validates with the schema itself, which may be asynchronous. Never throws: a schema whose own code throws makes the
 * value invalid, and says so.
 *
 * @example
 * const checked = yield* validate(z.object({ seats: z.int() }), { seats: 'two' });
 * // { ok: false, problem: 'seats: must be a number, not text', issues: […] }
 */
export function* validate<S extends Schema>(schema: S, value: unknown): Operation<Validation<OutputOf<S>>> {
  const checked = validateNow(schema, value);
  return checked instanceof Promise ? yield* until(checked) : checked;
}

/** Like {@link validate}, outside an operation: a promise only when the schema is asynchronous. Never rejects. */
export function validateNow<S extends Schema>(
  schema: S,
  value: unknown,
): Validation<OutputOf<S>> | Promise<Validation<OutputOf<S>>> {
  try {
    const result = schema['~standard'].validate(value) as
      | StandardResult<OutputOf<S>>
      | PromiseLike<StandardResult<OutputOf<S>>>;
    // Another realm's promise is no instance of ours.
    if ('then' in result) return Promise.resolve(result).then((late) => validationOf(late, value), crashed);
    return validationOf(result, value);
  } catch (error) {
    return crashed(error);
  }
}

function validationOf<T>(result: StandardResult<T>, given: unknown): Validation<T> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return problemsIn(result.issues, given);
}

/** What is wrong with a value by the issues that a schema has with it, in words. */
export function problemsIn(
  issues: readonly StandardIssue[],
  given: unknown,
): Extract<Validation<never>, { ok: false }> {
  return invalid(issues.map((issue) => issueOf(issue, given)));
}

function crashed(error: unknown): Validation<never> {
  return invalid([{ path: '', message: `it could not be checked (${toError(error).message})` }]);
}

const SHOWN = 8;
/** Characters of what is wrong in one place: some say it with all that was given. */
const LONGEST = 500;

function invalid(issues: readonly Issue[]): Extract<Validation<never>, { ok: false }> {
  const shown = issues
    .slice(0, SHOWN)
    .map(({ path, message }) => shortly(path === '' ? message : `${path}: ${message}`));
  if (issues.length > SHOWN) shown.push(`and ${issues.length - SHOWN} more`);
  return { ok: false, problem: shown.join('; ') || 'it is not valid', issues };
}

function shortly(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function issueOf(issue: StandardIssue, given: unknown): Issue {
  let path = '';
  for (const key of stepsOf(issue)) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
  }
  return { path, message: issueWords(issue, given) };
}
