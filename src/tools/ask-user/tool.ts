import * as z from 'zod';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { field } from './field.ts';
import { askedForm } from './form-of.ts';
import { sorted } from './sorted.ts';

/** Lets a model ask the person a form that it describes. Nothing is changed anywhere. */
export const askUser = createMcpTool('ask_user')
  .description(
    'Asks the user questions in a form beside the editor, and waits for the answer: several questions at once, in typed ' +
      'fields whose values are checked. For one short question, a tool that asks in the chat is enough, if there is one. ' +
      'Use this when you need a decision, a preference or a fact ' +
      'that only the user has, and a wrong guess would cost work: to choose between options, to settle details ' +
      'before a larger change, to get values for a configuration. Put all questions you have at the moment into one ' +
      'form instead of calling this several times. Do not use it for what you can find out yourself, to ask for ' +
      'permission to continue, or for passwords and other secrets.\n' +
      'An option can say more: what choosing it means, that you recommend it, and a preview (code, a diff, Markdown, a picture), ' +
      'which the user sees beside it.\n' +
      'Returns {"status": "answered", "answers": {…}} with one value for each field that was filled in: a number for number ' +
      'and integer; true or false for boolean; a list of texts for list, choices and ranking (the most wanted first); text for ' +
      'everything else. A choice may come back as words of the user that are none of its options. "notes" holds what the user wrote beside a choice, and "unanswered" names the fields that were left ' +
      'empty: decide those yourself, and do not ask again. With status "declined" the user does not want to answer: continue without, and do not ask the same ' +
      'again. With status "cancelled" the user closed the form: ask in chat how to continue.',
  )
  .parameters(
    z.object({
      title: z.string().min(1).max(100).optional().describe('A short heading.'),
      message: z.string().min(1).max(4000).describe('What you need to know and why, for the user to read.'),
      fields: z.array(field).min(1).max(20).describe('The fields, in the order in which they are shown.'),
    }),
  )
  .output(
    z.object({
      status: z.enum(['answered', 'declined', 'cancelled']),
      answers: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
        .optional(),
      notes: z.record(z.string(), z.string()).optional(),
      unanswered: z.array(z.string()).optional(),
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Ask the User')
  .icon('question')
  .summary('Asks you a form that the agent designs, answered in a panel beside the chat.')
  .editor({
    tags: ['ask', 'form', 'elicitation'],
    // Copilot's agent host lists it by this name, beside a tool of its own that is called ask_user.
    reference: 'askWithForm',
  })
  .requires({ elicitation: true })
  .elicits({})
  .execute(function* ({ title, message, fields }, ctx) {
    const schema = askedForm(fields);
    const answer = yield* ctx.elicit({
      message: title === undefined ? message : `${title}\n\n${message}`,
      schema,
    });
    if (answer.action === 'decline') return { status: 'declined' as const };
    if (answer.action === 'cancel') return { status: 'cancelled' as const };
    return { status: 'answered' as const, ...sorted(fields, answer.content) };
  });
