import * as z from 'zod';
import { FIELD_KINDS, option } from './kinds.ts';

/** One field of the form that a model describes. */
export const field = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/, 'letters, digits and _, beginning with a letter')
    .describe('Key of the answer.'),
  label: z.string().min(1).max(200).describe('What the user reads.'),
  description: z.string().max(1000).optional().describe('Help below it.'),
  kind: FIELD_KINDS.default('text').describe(
    'lines: a longer text; list: texts; choices: several options; ranking: options in order; file, folder: a path; ' +
      'place: lines of a file, as src/a.ts:10-14; attachments: pictures and texts of the user.',
  ),
  options: z.array(option).max(100).optional().describe('Of choice, choices and ranking.'),
  other: z.boolean().optional().describe('false: a choice takes its options only.'),
  note: z.boolean().optional().describe('true: the user may comment on the choice.'),
  placeholder: z.string().max(200).optional().describe('An example.'),
  page: z.string().min(1).max(100).optional().describe('Begins a page, with this heading.'),
  required: z.boolean().default(true).describe('false: may be left empty.'),
  default: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .optional()
    .describe('Filled in at first; a date is YYYY-MM-DD.'),
});

/** A described field, with defaults filled in. */
export type AskedField = z.output<typeof field>;
