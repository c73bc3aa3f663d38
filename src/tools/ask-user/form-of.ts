import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import type { Field } from './field.ts';

/** A form: every property is a field that an elicitation can show. */
export type Form = z.ZodType<Record<string, string | number | boolean | string[] | undefined>>;

/**
 * The form that a model described, as a schema to ask with.
 *
 * @throws with every problem of the description at once, in words that the model can act on.
 *
 * @example
 * formOf([{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'], required: true }])
 */
export function formOf(fields: readonly Field[]): Form {
  const problems = fields.flatMap((field, at) =>
    problemsOf(field, fields.slice(0, at)).map((problem) => `fields[${at}] ("${field.name}") ${problem}`),
  );
  if (problems.length > 0) {
    throw new Error(
      `The form was not shown to the user, because its description is wrong: ${problems.join('; ')}. ` +
        'Correct this and call ask_user again.',
    );
  }
  return z.object(Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)]))) as Form;
}

function problemsOf(field: Field, before: readonly Field[]): string[] {
  const problems: string[] = [];
  const { kind, options } = field;
  if (before.some(({ name }) => name === field.name)) {
    problems.push('has the name of an earlier field: give each field a name of its own');
  }
  if (kind === 'choice' || kind === 'choices') {
    if (!options || options.length === 0)
      problems.push(`is a ${kind} without options: list them in "options"`);
    else if (new Set(options).size < options.length)
      problems.push('has an option twice: list each option once');
  } else if (options !== undefined && options.length > 0) {
    problems.push(`has options, and is of kind ${kind}: make it a choice or choices, or leave options out`);
  }
  // Anything else that is wrong with it would make the default wrong too.
  if (problems.length === 0 && field.default !== undefined) {
    const fits = answerSchema(field).safeParse(field.default).success;
    if (!fits) problems.push(`has a default that is not ${answerOf(field)}`);
  }
  return problems;
}

/** The schema of a field's value, when there is one. */
function answerSchema({ kind, options = [], required }: Field): z.ZodType {
  switch (kind) {
    case 'text':
      // Spaces are no answer.
      return required ? z.string().min(1).regex(/\S/, 'must not be empty') : z.string();
    case 'email':
      return z.email();
    case 'url':
      return z.url();
    case 'date':
      return z.iso.date();
    case 'number':
      return z.number();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'choice':
      return z.enum(options);
    case 'choices': {
      const any = z.array(z.enum(options));
      return required ? any.min(1) : any;
    }
  }
}

function propertyOf(field: Field): z.ZodType {
  const { label, description, required } = field;
  const value = answerSchema(field);
  const asked = field.default === undefined ? value : value.default(field.default);
  const shown = required || field.default !== undefined ? asked : asked.optional();
  return shown.meta({ title: label, ...defined({ description }) });
}

function answerOf({ kind, options = [] }: Field): string {
  switch (kind) {
    case 'number':
      return 'a number';
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'date':
      return 'a date as YYYY-MM-DD';
    case 'email':
      return 'an email address';
    case 'url':
      return 'a URL';
    case 'choice':
      return `one of its options (${options.join(', ')})`;
    case 'choices':
      return `a list of its options (${options.join(', ')})`;
    case 'text':
      return 'text';
  }
}
