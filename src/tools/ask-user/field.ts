import * as z from 'zod';
import { FIELD_KINDS, option } from './kinds.ts';

/** One field of the form that a model describes. */
export const field = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/, 'letters, digits and _, beginning with a letter')
    .describe('Key of the answer: letters, digits and _, beginning with a letter. Unique in the form.'),
  label: z.string().min(1).max(200).describe('What the user reads above the field.'),
  description: z.string().max(1000).optional().describe('Help below the field, if it needs any.'),
  kind: FIELD_KINDS.default('text').describe(
    'text is one line, lines are several, list is any number of texts; email, url and date are checked text; choice is ' +
      'one of options, choices any of them, ranking any of them in order of preference; file and folder are paths that ' +
      'the user picks; place is lines of a file, such as src/a.ts:10-14: with a default the user can look at them, and may ' +
      'select others.',
  ),
  options: z
    .array(option)
    .max(100)
    .optional()
    .describe('For choice, choices and ranking, and only for them: what the user can choose from.'),
  other: z
    .boolean()
    .optional()
    .describe('false for a choice that words of the user in place of an option cannot answer.'),
  note: z
    .boolean()
    .optional()
    .describe('true to let the user write something beside the choice; it comes back in "notes".'),
  placeholder: z.string().max(200).optional().describe('An example, shown while a text is empty.'),
  page: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Begins a page of the form with this heading. For long forms: a page for each topic.'),
  required: z.boolean().default(true).describe('false when the user may leave it empty.'),
  default: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .optional()
    .describe('Filled in at first. Of the type that the field answers with; dates are YYYY-MM-DD.'),
});

/** A described field, with defaults filled in. */
export type AskedField = z.output<typeof field>;
