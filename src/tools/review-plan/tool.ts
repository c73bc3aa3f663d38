import * as z from 'zod';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { NOT_ANSWERED, notAnswered, REPLIED, replyField } from '../not-answered.ts';
import { part, partsOf } from './parts.ts';
import { anchored } from './review.ts';

const LONGEST = 60_000;

const said = z.object({
  from: z.int().optional(),
  to: z.int().optional(),
  quote: z.string().optional(),
  comment: z.string(),
});

/** Has the person read a plan, comment on its lines, change its text, and send it back. Nothing is changed anywhere. */
export const reviewPlan = createMcpTool('review_plan')
  .description(
    'Shows the user a plan or another document as Markdown, for review before you act on it. The user comments on single ' +
      'lines, edits the text in place, accepts parts, and approves it or sends it back. Use it for a plan of several ' +
      'steps, a design, or a text that needs the approval of the user; for single questions use ask_user. Give the whole document, each ' +
      'step on a line or in a paragraph of its own.\n' +
      'Returns {"status": "approved"} or {"status": "changes_requested"}. "comments" are anchored: "from" and "to" are lines of what ' +
      'you sent, and "quote" is their text. "accepted" quotes the parts that the user wants to keep as they are. "document" is there ' +
      'when the user edited the text: continue from it, and keep their words. After changes_requested, revise and call this again. With ' +
      'status "declined" or "cancelled", or "not_asked" where no person saw it, do not act on the plan: ask in chat how to continue. ' +
      REPLIED,
  )
  .parameters(
    z.object({
      title: z.string().min(1).max(200).optional().describe('A short heading.').meta({ title: 'Title' }),
      document: z
        .string()
        .min(1)
        .max(LONGEST)
        .describe('The document, as Markdown.')
        .meta({ title: 'Document', multiline: true }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['approved', 'changes_requested', ...NOT_ANSWERED]),
      comments: z.array(said).optional(),
      accepted: z.array(z.string()).optional(),
      document: z.string().optional(),
      reply: replyField,
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Review a Plan')
  .icon('checklist')
  .summary('Shows you a plan to comment on, edit and approve before anything happens.')
  .editor({ tags: ['plan', 'review', 'document'], reference: 'reviewPlan' })
  .requires({ elicitation: true })
  .elicits({
    review: {
      response: z.object({
        decision: z
          .enum(['approve', 'revise'])
          .default('revise')
          .meta({ title: 'Your decision', enumNames: ['Approve', 'Send Back'] }),
        comments: z.array(z.string()).optional().meta({
          title: 'Comments',
          description: 'Line, colon, comment, for example 3: too early',
        }),
        accepted: z
          .array(z.string())
          .optional()
          .meta({ title: 'Keep unchanged', description: 'Lines, such as 3 or 5-8' }),
        general: z.string().max(4000).optional().meta({ title: 'Anything else', multiline: true }),
        document: z
          .string()
          .max(2 * LONGEST)
          .optional()
          .meta({ title: 'The text', description: 'Edit the values to change', multiline: true }),
      }),
      context: z.object({ text: z.string(), parts: z.array(part) }),
    },
  })
  .execute(function* ({ title, document }, ctx) {
    const answer = yield* ctx.elicit('review', {
      // A title that the document begins with is said by that.
      message: title && !document.trimStart().startsWith(`# ${title}`) ? title : 'Run this plan?',
      text: document,
      parts: partsOf(document),
      // Where there is no view, the text is read and changed in its field.
      values: { document },
      replies: true,
    });
    if (answer.action !== 'accept') return notAnswered(answer);
    const { decision, comments = [], accepted = [], general = '', document: text } = answer.content;
    const about = [
      ...anchored(document, comments),
      ...(general.trim() === '' ? [] : [{ comment: general.trim() }]),
    ];
    const kept = anchored(
      document,
      accepted.map((lines) => `${lines}: kept`),
    ).flatMap(({ quote }) => quote ?? []);
    return {
      status: decision === 'approve' ? ('approved' as const) : ('changes_requested' as const),
      ...(about.length > 0 ? { comments: about } : {}),
      ...(kept.length > 0 ? { accepted: kept } : {}),
      ...(text === undefined || text === document ? {} : { document: text }),
    };
  });
