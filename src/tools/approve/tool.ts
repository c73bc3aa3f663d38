import * as z from 'zod';
import { withoutUnseen } from '../../core/messages/shown-json.ts';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { NOT_ANSWERED, notAnswered, REPLIED, replyField } from '../not-answered.ts';

/** Characters that a person is shown beside what can be edited: what cannot be read is not approved. */
const MOST_SHOWN = 8_000;

const change = z.object({
  label: z.string().min(1).max(200).describe('The change in a few words.'),
  detail: z.string().max(4000).optional().describe('What it does.'),
  diff: z.string().max(MOST_SHOWN).optional(),
  text: z.string().min(1).max(20_000).optional().describe('What the user may edit: a mail, a command.'),
});

type Change = z.output<typeof change>;

/** Has the person tick what of a list of changes may be made, and edit their texts. Nothing is changed here. */
export const approve = createMcpTool('approve')
  .description(
    'Asks the user to approve changes before you make them: each can be unticked, and its text edited. Make what comes back in ' +
      '"approved", with its text, and nothing else. "declined", "cancelled", or "not_asked" where no person saw it: make none, and ask how to continue. ' +
      REPLIED,
  )
  .parameters(
    z.object({
      message: z.string().min(1).max(2000).describe('What you are about to do, and why.'),
      changes: z.array(change).min(1).max(20),
    }),
  )
  .output(
    z.object({
      status: z.enum(['approved', ...NOT_ANSWERED]),
      approved: z
        .array(
          z.object({
            change: z.int(),
            label: z.string(),
            text: z.string().optional(),
            edited: z.boolean().optional(),
          }),
        )
        .optional(),
      refused: z.array(z.string()).optional(),
      note: z.string().optional(),
      reply: replyField,
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Approve Changes')
  .requires({ elicitation: true })
  .elicits({})
  .execute(function* ({ message, changes }, ctx) {
    const shown = changes.map(shownBeside).filter((text) => text !== '');
    const length = shown.join('').length;
    if (length > MOST_SHOWN) {
      throw new Error(
        `The user was not asked: details and diffs have ${length} characters, and at most ${MOST_SHOWN} are read. Call approve for fewer changes at once.`,
      );
    }
    const answer = yield* ctx.elicit({
      message: [message, ...shown].join('\n\n'),
      schema: formOf(changes),
      replies: true,
    });
    if (answer.action !== 'accept') return notAnswered(answer);
    const { content } = answer;
    const isTicked = (at: number) => content.apply.includes(String(at + 1));
    const approved = changes.flatMap(({ label, text: before }, at) => {
      if (!isTicked(at)) return [];
      const text = content[`text_${at + 1}`];
      const given = typeof text === 'string' ? { text, ...(text === before ? {} : { edited: true }) } : {};
      return [{ change: at + 1, label, ...given }];
    });
    const refused = changes.flatMap(({ label }, at) => (isTicked(at) ? [] : [label]));
    const note = typeof content.note === 'string' ? content.note.trim() : '';
    return {
      status: approved.length > 0 ? ('approved' as const) : ('declined' as const),
      approved,
      ...(refused.length > 0 ? { refused } : {}),
      ...(note === '' ? {} : { note }),
    };
  });

type Answer = z.ZodType<{ apply: string[] } & Readonly<Record<string, string | string[] | undefined>>>;

function formOf(changes: readonly Change[]): Answer {
  const choices = changes.map(({ label }, at) =>
    z.literal(String(at + 1)).meta({ title: numbered(label, at) }),
  );
  // Ticked to begin with, and to be sent: clients leave out a list in which all was unticked, or that they cannot draw.
  const ticked = changes.map((_, at) => String(at + 1));
  const texts = changes.flatMap(({ label, text }, at) =>
    text === undefined
      ? []
      : [
          [
            `text_${at + 1}`,
            z
              .string()
              .min(1)
              .max(40_000)
              .meta({ title: numbered(label, at), default: text, multiline: true }),
          ] as const,
        ],
  );
  return z.object({
    apply: z.array(z.union(choices)).meta({ title: 'Changes to make', default: ticked }),
    ...Object.fromEntries(texts),
    note: z.string().max(4000).optional().meta({ title: 'Anything else', multiline: true }),
  }) as unknown as Answer;
}

/** What of a change is read and not edited. Indented: nothing in it is read as Markdown. */
function shownBeside({ label, detail, diff }: Change, at: number): string {
  const parts = [detail, diff].filter((part) => part !== undefined);
  if (parts.length === 0) return '';
  const block = withoutUnseen(parts.join('\n\n')).replace(/^/gm, '    ');
  return `${numbered(label, at)}\n\n${block}`;
}

function numbered(label: string, at: number): string {
  return `${at + 1}. ${withoutUnseen(label).replace(/\s+/g, ' ')}`;
}
