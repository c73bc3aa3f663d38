import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A question of each kind, with one field, or two that have defaults. */
const questions = {
  text: z.object({ value: z.string().min(2).meta({ title: 'Text' }) }),
  optional: z.object({ value: z.string().optional().meta({ title: 'Optional text' }) }),
  blank: z.object({ value: z.string().optional().meta({ title: 'Text that stays empty' }) }),
  email: z.object({ value: z.email().meta({ title: 'Email' }) }),
  date: z.object({ value: z.iso.date().meta({ title: 'Date' }) }),
  integer: z.object({ value: z.int().min(1).max(9).meta({ title: 'Whole number' }) }),
  number: z.object({ value: z.number().min(0).meta({ title: 'Number' }) }),
  boolean: z.object({ value: z.boolean().meta({ title: 'Yes or no' }) }),
  one: z.object({ value: z.enum(['red', 'green']).meta({ title: 'One choice' }) }),
  named: z.object({ value: z.enum(['r', 'g']).meta({ title: 'Named choice', enumNames: ['Red', 'Green'] }) }),
  several: z.object({
    value: z
      .array(z.enum(['mon', 'tue', 'wed']))
      .min(1)
      .meta({ title: 'Several' }),
  }),
  empty: z.object({}),
  lines: z.object({ value: z.string().meta({ title: 'Many lines', multiline: true }) }),
  defaults: z.object({
    seats: z.int().min(1).max(9).default(2).meta({ title: 'Seats' }),
    really: z.boolean().default(true).meta({ title: 'Delete everything' }),
  }),
  texts: z.object({ value: z.array(z.string()).meta({ title: 'List of texts' }) }),
};

export const askKind = createMcpTool('ask_kind')
  .description('Asks the user one field of the kind that is named.')
  .parameters(z.object({ kind: z.enum(Object.keys(questions) as (keyof typeof questions)[]) }))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .elicits(questions)
  .execute(function* ({ kind }, ctx) {
    const answer = yield* ctx.elicit(kind, { message: `Please give a value of kind ${kind}` });
    if (answer.action === 'accept') return { accept: answer.content };
    if (answer.answeredBy === 'client') throw new Error('Nobody was asked: the agent refused by itself.');
    return { [answer.action]: true };
  });

export const add = createMcpTool('add')
  .description('Adds two numbers.')
  .parameters(z.object({ a: z.number(), b: z.number() }))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .elicits({})
  .execute(function* ({ a, b }) {
    return { sum: a + b };
  });
