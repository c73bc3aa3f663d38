import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import { type AskedField, CHOICE_KINDS } from './field.ts';

/** A form: every property is a field that an elicitation can show. */
export type AskedForm = z.ZodType<Record<string, string | number | boolean | string[] | undefined>>;

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
  if (CHOICE_KINDS.includes(kind)) {
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
    const fits = answerSchema(field).safeParse(field.default).success;
    if (!fits) problems.push(`has a default that is not ${answerOf(field)}`);
  }
  return problems;
}

/** The schema of a field's value, when there is one. */
function answerSchema(field: AskedField): z.ZodType {
  const { kind, required } = field;
  switch (kind) {
    case 'text':
    case 'lines':
    case 'file':
    case 'folder':
    case 'place':
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
      return choiceOf(field);
    case 'list':
    case 'choices':
    case 'ranking': {
      const any = z.array(kind === 'list' ? z.string() : choiceOf(field));
      return required ? any.min(1) : any;
    }
  }
}

/** One of the options, with what helps to choose it. */
function choiceOf(field: AskedField): z.ZodType<string> {
  const { options = [] } = field;
  if (options.every((option) => typeof option === 'string')) return z.enum(options);
  return z.union(
    options.map((option) => {
      const { const: value, ...said } = titled(option);
      return z.literal(value).meta(said);
    }),
  );
}

/** What the options of a field answer with. */
function valuesOf({ options = [] }: AskedField): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value));
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

/** A choice that words of the user's own answer, too: to other forms than ours it is one of the options. */
function openChoice({ options = [] }: AskedField): z.ZodType<string> {
  const plain = options.every((option) => typeof option === 'string');
  const choices = plain ? { enum: options } : { anyOf: options.map(titled) };
  return z
    .string()
    .regex(/\S/, 'must not be empty')
    .meta({ ...choices, other: true });
}

function titled(option: NonNullable<AskedField['options']>[number]) {
  const { value, label, ...hints } = typeof option === 'string' ? { value: option } : option;
  return { const: value, title: label ?? value, ...hints };
}

function propertyOf(field: AskedField): z.ZodType {
  const { kind, label, description, required, placeholder, page } = field;
  const value = kind === 'choice' && field.other !== false ? openChoice(field) : answerSchema(field);
  const asked = field.default === undefined ? value : value.default(field.default);
  const shown = required || field.default !== undefined ? asked : asked.optional();
  return shown.meta({
    title: label,
    ...defined({ description, placeholder, page }),
    ...(kind === 'lines' && { multiline: true }),
    ...(kind === 'ranking' && { ordered: true }),
    ...((kind === 'file' || kind === 'folder' || kind === 'place') && { pick: kind }),
  });
}

function answerOf(field: AskedField): string {
  const options = valuesOf(field);
  switch (field.kind) {
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
    case 'list':
      return 'a list of texts';
    case 'choices':
    case 'ranking':
      return `a list of its options (${options.join(', ')})`;
    case 'text':
    case 'lines':
    case 'file':
    case 'folder':
    case 'place':
      return 'text';
  }
}
