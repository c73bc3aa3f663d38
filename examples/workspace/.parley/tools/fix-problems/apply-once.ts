import type { Operation } from 'effection';
import { useEdits } from 'parley-mcp/editor';
import type { ProposedEdit } from './edits.ts';
import type { FileProposal } from './propose.ts';
import type { FixContext } from './questions.ts';

/**
 * Applies all accepted edits as one step of Undo: the one thing that this tool does to the world, and its last. A step that was
 * cut short runs again; edits that are in the files already fit no longer, so they are never made twice.
 *
 * @throws when a file has changed since it was looked at: nothing is applied then
 */
export function* applyOnce(
  touched: readonly FileProposal[],
  accepted: readonly ProposedEdit[],
  ctx: FixContext,
): Operation<void> {
  yield* ctx.step('apply', function* ({ attempt }) {
    const seen = new Map(touched.map((one) => [one.file.uri, one.seen]));
    const editor = yield* useEdits();
    if (yield* editor.apply('Fix Problems', accepted, seen)) return;
    const names = touched.map((one) => one.file.path).join(', ');
    throw new Error(
      attempt > 1
        ? `Parley ended while it applied the edits, and ${names} changed since they were looked at, most likely by these. Nothing was applied again: look at the files.`
        : `Nothing was applied: ${names} changed while the edits were looked at, or cannot be written. Run fix_problems again for edits that fit.`,
    );
  });
}
