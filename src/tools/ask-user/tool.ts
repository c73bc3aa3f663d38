import * as z from 'zod';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { NOT_ANSWERED, notAnswered, REPLIED, replyField } from '../not-answered.ts';
import { field } from './field.ts';
import { askedForm } from './form-of.ts';
import { sorted } from './sorted.ts';

/** Lets a model ask the person a form that it describes. Nothing is changed anywhere. */
export const askUser = createMcpTool('ask_user')
  .description(
    'Asks the user questions in a form, and waits. For decisions and facts that only the user has, where a wrong guess ' +
      'costs work; all questions in one form. Not for what you can find out, for permission to continue, or for secrets.\n' +
      'Returns {"status": "answered", "answers": {…}}: a value for each field that was filled in; a choice may be in words of the user, ' +
      'with "notes" beside it. "unanswered" fields were left empty: decide those yourself. "declined": continue without, and do not ask ' +
      'again. "cancelled": ask in chat how to continue. "not_asked": no person saw it. ' +
      REPLIED,
  )
  .parameters(
    z.object({
      title: z.string().min(1).max(100).optional().describe('A heading.'),
      message: z.string().min(1).max(4000).describe('What you need to know, and why.'),
      fields: z.array(field).min(1).max(20),
    }),
  )
  .output(
    z.object({
      status: z.enum(['answered', ...NOT_ANSWERED]),
      answers: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
        .optional(),
      notes: z.record(z.string(), z.string()).optional(),
      unanswered: z.array(z.string()).optional(),
      attachments: z.array(z.looseObject({ type: z.string() })).optional(),
      reply: replyField,
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
      replies: true,
    });
    if (answer.action !== 'accept') return notAnswered(answer);
    return { status: 'answered' as const, ...sorted(fields, answer.content) };
  });
