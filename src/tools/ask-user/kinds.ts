import * as z from 'zod';
import { attachment } from '../../core/form/attachment.ts';

/** What a model may put beside an option. */
const optionPreview = z
  .object({
    kind: z.enum(['code', 'diff', 'markdown', 'image']),
    text: z.string().min(1).max(200_000).describe('For an image a data: address.'),
    language: z.string().max(40).optional(),
  })
  .refine(({ kind, text }) => kind !== 'image' || /^data:image\/[a-z0-9.+-]+;base64,/i.test(text), {
    error: 'an image is a data: address, such as data:image/png;base64,…',
  });

/** Something to choose: its text, or more about it. */
export const option = z.union([
  z.string().min(1).max(300),
  z.object({
    value: z.string().min(1).max(300).describe('The answer.'),
    label: z.string().min(1).max(300).optional().describe('Shown in its place.'),
    description: z.string().max(1000).optional().describe('What it means.'),
    recommended: z.boolean().optional().describe('true: your choice.'),
    preview: optionPreview.optional().describe('Shown beside it.'),
  }),
]);

/** What of a field its kind knows. */
interface Asked {
  readonly required: boolean;
  readonly options?: readonly z.output<typeof option>[] | undefined;
  readonly other?: boolean | undefined;
}

/** A kind of field that a model may ask for. */
interface AskedKind {
  /** The schema of its value, when there is one. */
  answer(field: Asked): z.ZodType;
  /** What a person is asked with, where that says more. */
  asked?(field: Asked): z.ZodType;
  /** What its value is, in words for the model. */
  called(field: Asked): string;
  /** It has options. */
  readonly options?: true;
  /** What the form is to show. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

const text = {
  // Spaces are no answer.
  answer: ({ required }: Asked) =>
    required ? z.string().min(1).regex(/\S/, 'must not be empty') : z.string(),
  called: () => 'text',
};

const some = {
  answer: (field: Asked) => several(choiceOf(field), field),
  called: (field: Asked) => `a list of its options (${valuesOf(field).join(', ')})`,
  options: true,
} as const;

/** What a field of a form holds, as a model names it. */
const kinds = {
  text,
  lines: { ...text, hints: { multiline: true } },
  list: { answer: (field) => several(z.string(), field), called: () => 'a list of texts' },
  email: { answer: () => z.email(), called: () => 'an email address' },
  url: { answer: () => z.url(), called: () => 'a URL' },
  date: { answer: () => z.iso.date(), called: () => 'a date as YYYY-MM-DD' },
  number: { answer: () => z.number(), called: () => 'a number' },
  integer: { answer: () => z.int(), called: () => 'a whole number' },
  boolean: { answer: () => z.boolean(), called: () => 'true or false' },
  choice: {
    answer: choiceOf,
    asked: (field) => (field.other === false ? choiceOf(field) : openChoice(field)),
    called: (field) => `one of its options (${valuesOf(field).join(', ')})`,
    options: true,
  },
  choices: some,
  ranking: { ...some, hints: { ordered: true } },
  file: { ...text, hints: { pick: 'file' } },
  folder: { ...text, hints: { pick: 'folder' } },
  place: { ...text, hints: { pick: 'place' } },
  attachments: { answer: () => attachment({ accept: ['image/*', 'text/*'], max: 5 }), called: () => 'files' },
} satisfies Readonly<Record<string, AskedKind>>;

/** The kinds, by name. */
export const ASKED_KINDS: Readonly<Record<keyof typeof kinds, AskedKind>> = kinds;

/** Their names, in order. */
export const FIELD_KINDS = z.enum(
  Object.fromEntries(Object.keys(kinds).map((name) => [name, name])) as {
    [Name in keyof typeof kinds]: Name;
  },
);

function several(one: z.ZodType, { required }: Asked): z.ZodType {
  return required ? z.array(one).min(1) : z.array(one);
}

/** One of the options, with what helps to choose it. */
function choiceOf(field: Asked): z.ZodType<string> {
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
export function valuesOf({ options = [] }: Asked): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value));
}

/** A choice that words of the user's own answer, too: to other forms than ours it is one of the options. */
function openChoice({ options = [] }: Asked): z.ZodType<string> {
  const plain = options.every((option) => typeof option === 'string');
  const choices = plain ? { enum: options } : { anyOf: options.map(titled) };
  return z
    .string()
    .regex(/\S/, 'must not be empty')
    .meta({ ...choices, other: true });
}

function titled(option: NonNullable<Asked['options']>[number]) {
  const { value, label, ...hints } = typeof option === 'string' ? { value: option } : option;
  return { const: value, title: label ?? value, ...hints };
}
