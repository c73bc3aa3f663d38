import * as z from 'zod';
import type { Attachment } from '../../core/form/attachment.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AskedField } from './field.ts';
import { ASKED_KINDS, valuesOf } from './kinds.ts';

/** A form: every property is a field that an elicitation can show. */
export type AskedForm = z.ZodType<
  Record<string, string | number | boolean | string[] | Attachment[] | undefined>
>;

/**
 * The form that a model described, as a schema to ask with.
 *
 * @throws with every problem of the description at once, in words that the model can act on.
 *
 * @example
 * askedForm([{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'], required: true }])
 */
export function askedForm(fields: readonly AskedField[]): AskedForm {
  const problems = fields.flatMap((field, at) =>
    problemsOf(field, fields.slice(0, at)).map((problem) => `fields[${at}] ("${field.name}") ${problem}`),
  );
  if (problems.length > 0) {
    throw new Error(
      `The form was not shown to the user, because its description is wrong: ${problems.join('; ')}. ` +
        'Correct this and call ask_user again.',
    );
  }
  const properties = fields.flatMap((field) => [
    [field.name, propertyOf(field)] as const,
    ...(field.note ? [[noteName(field, fields), noteProperty(field)] as const] : []),
  ]);
  return z.object(Object.fromEntries(properties)) as AskedForm;
}

function problemsOf(field: AskedField, before: readonly AskedField[]): string[] {
  const problems: string[] = [];
  const { kind, options } = field;
  if (before.some(({ name }) => name === field.name)) {
    problems.push('has the name of an earlier field: give each field a name of its own');
  }
  if (ASKED_KINDS[kind].options) {
    if (!options || options.length === 0)
      problems.push(`is a ${kind} without options: list them in "options"`);
    else if (new Set(valuesOf(field)).size < options.length)
      problems.push('has an option twice: list each option once');
  } else if (options !== undefined && options.length > 0) {
    problems.push(
      `has options, and is of kind ${kind}: make it a choice, choices or ranking, or leave options out`,
    );
  }
  // Anything else that is wrong with it would make the default wrong too.
  if (problems.length === 0 && field.default !== undefined) {
    const fits = ASKED_KINDS[kind].answer(field).safeParse(field.default).success;
    if (!fits) problems.push(`has a default that is not ${ASKED_KINDS[kind].called(field)}`);
  }
  return problems;
}

/** The name of the property that holds what the user writes beside a choice: one that no field has. */
export function noteName(field: AskedField, fields: readonly AskedField[]): string {
  let name = `${field.name}_note`;
  while (fields.some((other) => other.name === name)) name += '_';
  return name;
}

function noteProperty({ name, label }: AskedField): z.ZodType {
  return z
    .string()
    .optional()
    .meta({ title: `Add a comment on “${label}”`, noteOn: name, multiline: true });
}

function propertyOf(field: AskedField): z.ZodType {
  const { kind, label, description, required, placeholder, page } = field;
  const { answer, asked: ask = answer, hints } = ASKED_KINDS[kind];
  const value = ask(field);
  const asked = field.default === undefined ? value : value.default(field.default);
  const shown = required || field.default !== undefined ? asked : asked.optional();
  return shown.meta({
    title: label,
    ...defined({ description, placeholder, page }),
    ...hints,
  });
}
