import * as z from 'zod';

/** What a field of a form holds, as a model names it. */
export const FIELD_KINDS = [
  'text',
  'email',
  'url',
  'date',
  'number',
  'integer',
  'boolean',
  'choice',
  'choices',
] as const;

/** One field of the form that a model describes. */
export const field = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/, 'letters, digits and _, beginning with a letter')
    .describe('Key of the answer: letters, digits and _, beginning with a letter. Unique in the form.'),
  label: z.string().min(1).max(200).describe('What the user reads above the field.'),
  description: z.string().max(1000).optional().describe('Help below the field, if it needs any.'),
  kind: z
    .enum(FIELD_KINDS)
    .default('text')
    .describe(
      'text; email, url and date are checked text; choice is one of options, choices is any of them.',
    ),
  options: z
    .array(z.string().min(1).max(300))
    .max(100)
    .optional()
    .describe('For choice and choices, and only for them: what the user can choose from.'),
  required: z.boolean().default(true).describe('false when the user may leave it empty.'),
  default: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .optional()
    .describe('Filled in at first. Of the type that the field answers with; dates are YYYY-MM-DD.'),
});

/** A described field, with defaults filled in. */
export type Field = z.output<typeof field>;
