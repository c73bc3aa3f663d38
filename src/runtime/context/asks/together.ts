import { ElicitationOptionsError } from '../../../core/errors/elicit-errors.ts';
import type { FormProperty } from '../../../core/form/kinds.ts';
import type { JsonObject } from '../../../core/messages/json.ts';
import { readableName } from '../../../core/messages/readable-name.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import type { StandardIssue, StandardResult } from '../../../core/schema/standard-schema.ts';
import { type AskedQuestion, NOTHING_SAID } from './elicit-ask.ts';

/** What such a question is called. No declared one can be. */
export const ALL = 'elicit.all';

/**
 * Declared questions as one: a page of its form for each, whose fields are called after their question (`seat.row`). Handlers are not
 * asked, for each draws a question of its own.
 */
export function together(
  questions: Readonly<Record<string, AskedQuestion>>,
  message: string | undefined,
): AskedQuestion {
  const all = Object.entries(questions);
  if (all.length === 0)
    throw new ElicitationOptionsError({ key: ALL, problem: 'there is no question in it' });
  const properties: Record<string, FormProperty> = {};
  const required: string[] = [];
  for (const [key, { json, message: page }] of all) {
    const inside = (name: string) => `${key}.${name}`;
    required.push(...(json.required ?? []).map(inside));
    for (const [name, field] of Object.entries(json.properties)) {
      const noted = 'noteOn' in field && field.noteOn !== undefined ? { noteOn: inside(field.noteOn) } : {};
      properties[inside(name)] = { title: readableName(name), page, ...field, ...noted };
    }
  }
  const begins = Object.values(properties).some((field) => field.default !== undefined);
  return {
    key: undefined,
    name: ALL,
    message: message ?? all.map(([, question]) => question.message).join('\n'),
    schema: schemaOf(all, begins),
    json: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    context: {},
    contextSchema: undefined,
  };
}

/** Checks the answer to each with its own schema, and gives `{ seat: { row: 7 }, meal: … }`. */
function schemaOf(all: readonly (readonly [string, AskedQuestion])[], begins: boolean): Schema {
  const validate = (given: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> => {
    const content = isObject(given) ? (given as JsonObject) : {};
    if (begins && Object.keys(content).length === 0) return { issues: [{ message: NOTHING_SAID }] };
    const checked = all.map(([key, { schema }]) => schema['~standard'].validate(partOf(key, content)));
    const whole = (results: readonly StandardResult<unknown>[]): StandardResult<unknown> => {
      const issues = results.flatMap((result, at) => named(all[at]?.[0] ?? '', result.issues));
      if (issues.length > 0) return { issues };
      const values = results.map((result, at) => [
        all[at]?.[0],
        'value' in result ? result.value : undefined,
      ]);
      return { value: Object.fromEntries(values) };
    };
    return checked.some((one) => 'then' in one)
      ? Promise.all(checked).then(whole)
      : whole(checked as StandardResult<unknown>[]);
  };
  return { '~standard': { version: 1, vendor: 'parley', validate } };
}

function partOf(key: string, content: JsonObject): JsonObject {
  const begin = `${key}.`;
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) =>
      name.startsWith(begin) ? [[name.slice(begin.length), value]] : [],
    ),
  );
}

/** What is wrong, with the names that the fields have in the form. */
function named(key: string, issues: readonly StandardIssue[] = []): readonly StandardIssue[] {
  return issues.map(({ message, path = [] }) => {
    const [first, ...rest] = path.map((step) => (typeof step === 'object' ? step.key : step));
    return { message, path: [first === undefined ? key : `${key}.${String(first)}`, ...rest] };
  });
}
