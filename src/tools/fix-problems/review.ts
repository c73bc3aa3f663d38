import type { Operation } from 'effection';
import * as z from 'zod';
import type { ToolContext } from '../../core/tool/context.ts';
import type { ProposedEdit } from './edits.ts';
import { hunkLine, hunkOf } from './hunk.ts';
import type { FileProposal } from './propose.ts';

/** What a person can say to a proposed edit. */
export const decisions = ['accept', 'skip', 'accept_rest', 'skip_rest'] as const;

/** What the tool asks: one edit at a time. */
export const questions = {
  reviewEdit: {
    response: z.object({
      decision: z.enum(decisions).meta({ title: 'What to do with this edit' }),
    }),
    context: z.object({
      file: z.string(),
      why: z.string(),
      lines: z.array(hunkLine),
      index: z.int(),
      total: z.int(),
    }),
  },
};

/** Through what the tool talks. */
export type FixContext = ToolContext<typeof questions>;

/**
 * Shows the edits one after the other and collects those that are accepted. Declining skips the rest of them.
 *
 * @returns `undefined` when the person cancelled: nothing is to be done then.
 */
export function* review(
  proposals: readonly FileProposal[],
  ctx: FixContext,
): Operation<readonly ProposedEdit[] | undefined> {
  const all = proposals.flatMap((proposal) => proposal.edits.map((edit) => ({ proposal, edit })));
  const accepted: ProposedEdit[] = [];
  for (const [at, { proposal, edit }] of all.entries()) {
    const answer = yield* ctx.elicit('reviewEdit', {
      message: `${proposal.file.path}: ${edit.why}`,
      file: proposal.file.path,
      why: edit.why,
      lines: hunkOf(proposal.text, edit),
      index: at + 1,
      total: all.length,
    });
    if (answer.action === 'cancel') return undefined;
    if (answer.action === 'decline') return accepted;
    const { decision } = answer.content;
    if (decision === 'skip_rest') return accepted;
    if (decision === 'accept_rest') return [...accepted, ...all.slice(at).map((one) => one.edit)];
    if (decision === 'accept') accepted.push(edit);
  }
  return accepted;
}
