import { createMcpTool } from 'parley-mcp';
import { type DiagnosticSeverity, useEdits } from 'parley-mcp/editor';
import * as z from 'zod';
import { applyOnce } from './apply-once.ts';
import { inParallel } from './in-parallel.ts';
import { fileUri, pathOf, problemFiles } from './problem-files.ts';
import { propose } from './propose.ts';
import { questions } from './questions.ts';
import { review } from './review.ts';

/** Files in one run: a person is to look at each edit. */
const MOST_FILES = 10;
/** Requests to the model at the same time. */
const AT_ONCE = 3;

/** Has the model mend what the Problems view shows, and applies the edits that the person accepts, as one step. */
export const fixProblems = createMcpTool('fix_problems')
  .description(
    'Fixes problems that the editor shows (of compilers and linters) together with the user: a model proposes edits ' +
      'for each file, the user accepts or skips each one in a diff, and the accepted ones are applied as one step that ' +
      'can be undone. Use it when the user wants problems fixed and wants to review each edit. Give "file" for the ' +
      `problems of one file; without it those of the workspace are taken, in the ${MOST_FILES} files that need it most. ` +
      'Returns what was applied and what was left, and why. With status "nothing_applied" the user did not want the ' +
      'edits: do not make them in another way.',
  )
  .parameters(
    z.object({
      file: z
        .string()
        .max(1000)
        .optional()
        .describe('A file, relative to its workspace folder. If omitted, the whole workspace.')
        .meta({ title: 'File', pick: 'file' }),
      severity: z
        .enum(['error', 'warning', 'information'])
        .default('warning')
        .describe('Include problems of this severity and above.')
        .meta({ title: 'Severity' }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['applied', 'nothing_applied', 'no_problems']),
      summary: z.string(),
      applied: z.array(z.object({ file: z.string(), edits: z.array(z.string()) })).optional(),
      left: z.array(z.object({ file: z.string(), why: z.string() })).optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false })
  .title('Fix Problems')
  .icon('lightbulb-autofix')
  .summary(
    'Proposes edits for the problems of a file or the workspace. You accept them one by one in a diff.',
  )
  .editor({
    tags: ['problems', 'diagnostics', 'fix'],
    accepts: 'file',
    mends: true,
  })
  .requires({ elicitation: true, sampling: true, editor: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ file, severity }, ctx) {
    const { files, others, where } = yield* ctx.step(
      'look for problems',
      // A form has no other way to leave out what was filled in once.
      () => look(file?.trim() || undefined, severity),
      { reads: true },
    );
    if (files.length === 0) {
      return { status: 'no_problems' as const, summary: `The editor shows no such problem in ${where}.` };
    }

    let done = 0;
    yield* ctx.notify(`Asking the model about ${counted(files.length, 'file')}`, {
      value: 0,
      total: files.length,
    });
    const proposals = yield* inParallel(files, AT_ONCE, function* (one) {
      const proposal = yield* propose(one, ctx);
      yield* ctx.notify(`Looked at ${one.path}`, { value: ++done, total: files.length });
      return proposal;
    });
    const left = [
      ...proposals.flatMap((one) => (one.skipped ? [{ file: one.file.path, why: one.skipped }] : [])),
      ...others.map((path) => ({ file: path, why: 'not looked at in this run' })),
    ];
    if (proposals.every(({ edits }) => edits.length === 0)) {
      return { status: 'nothing_applied' as const, summary: 'No edit was proposed.', left };
    }

    const accepted = yield* review(proposals, ctx);
    if (!accepted || accepted.length === 0) {
      return { status: 'nothing_applied' as const, summary: 'The user accepted no edit.', left };
    }
    const touched = proposals.filter((one) => accepted.some((edit) => edit.uri === one.file.uri));
    yield* applyOnce(touched, accepted, ctx);
    const applied = touched.map((one) => ({
      file: one.file.path,
      edits: accepted.filter((edit) => edit.uri === one.file.uri).map(({ why }) => why),
    }));
    return {
      status: 'applied' as const,
      summary: `Applied ${counted(accepted.length, 'edit')} in ${counted(applied.length, 'file')}, unsaved. One Undo reverts them.`,
      applied,
      left,
    };
  });

/** The files that need it most, and the paths of those that this run leaves. */
function* look(file: string | undefined, severity: DiagnosticSeverity) {
  const roots = yield* (yield* useEdits()).folders();
  const uri = file === undefined ? undefined : fileUri(file, roots);
  const found = yield* problemFiles(uri, severity, roots);
  return {
    files: found.slice(0, MOST_FILES),
    others: found.slice(MOST_FILES).map(({ path }) => path),
    where: uri === undefined ? 'the workspace' : pathOf(uri, roots),
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
