import type { Operation } from 'effection';
import type { ProposedEdit } from './edits.ts';
import { hunkOf } from './hunk.ts';
import type { FileProposal } from './propose.ts';
import type { FixContext } from './questions.ts';

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
