import type { Operation } from 'effection';
import * as z from 'zod';
import { GitError } from '../../core/errors/git-error.ts';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import type { ChangedFile } from './changed-file.ts';
import { chooseRepository, repositoryAt } from './choose-repository.ts';
import { splitMessage } from './commit-message.ts';
import { draftMessage } from './draft.ts';
import { type CommitContext, chooseFiles, editMessage, questions } from './questions.ts';

/**
 * Commits exactly these files: the one thing that this tool does to the world, and its last.
 *
 * A step that was cut short runs again. Nobody can tell git that it is the same commit, so where the head has moved
 * meanwhile the person is told to look, and nothing is committed a second time.
 *
 * @returns the commit's full hash
 */
function* commitOnce(
  root: string,
  message: string,
  files: readonly ChangedFile[],
  ctx: CommitContext,
): Operation<string> {
  const head = yield* ctx.step('read the head', () => headOf(root), { reads: true });
  return yield* ctx.step('commit', function* ({ attempt }) {
    const repository = yield* repositoryAt(root);
    if (attempt > 1 && (yield* headOf(root)) !== head) {
      throw new Error(
        'Parley ended while git was committing, and the branch has a commit since then: it is most likely this one. ' +
          'Look at the log of git; nothing was committed again.',
      );
    }
    return yield* repository.commit(
      message,
      files.map(({ number: _, ...change }) => change),
    );
  });
}

function* headOf(root: string): Operation<string | undefined> {
  return yield* (yield* repositoryAt(root)).head();
}

/** Lets the person choose files, drafts a message from their diff, lets them edit it, and commits. Nothing is pushed. */
export const commitChanges = createMcpTool('commit_changes')
  .description(
    'Commits changes in the git repository of the workspace, together with the user: they choose the files, edit the ' +
      'message and confirm. Use it when the user asks to commit, or after a piece of work that they want committed. ' +
      'Do not stage anything before. Pass "files" with the paths you mean (the user can change the choice) and ' +
      '"message" when you know what the commit is about; without a message one is drafted from the diff. ' +
      'Returns {"status": "committed", "commit": hash, …}, or status "not_committed" when the user does not want to: ' +
      'do not try again then. It never pushes.',
  )
  .parameters(
    z.object({
      files: z
        .array(z.string().min(1).max(500))
        .max(500)
        .optional()
        .describe('Suggested paths, relative to the repository root.'),
      message: z
        .string()
        .max(5000)
        .optional()
        .describe('Suggested message: one line that says what changes, a blank line, then why.')
        .meta({ title: 'Message' }),
      repository: z
        .string()
        .max(500)
        .optional()
        .describe('Repository folder, by name or path, if the workspace has several.')
        .meta({ title: 'Repository' }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['committed', 'not_committed']),
      summary: z.string(),
      commit: z.string().optional(),
      branch: z.string().optional(),
      message: z.string().optional(),
      files: z.array(z.string()).optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false })
  .title('Commit Changes')
  .icon('git-commit')
  .summary('Commits the files that you choose. A model drafts the message from the diff, and you edit it.')
  .editor({
    tags: ['git', 'commit'],
    reference: 'commitChanges',
  })
  .requires({ elicitation: true, editor: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ files: named, message: given, repository: wanted }, ctx) {
    const chosen = yield* chooseRepository(wanted?.trim() || undefined, ctx);
    if (!chosen) return notCommitted('No repository was chosen');
    const { root, name, files } = chosen;
    const conflicts = files.filter(({ kind }) => kind === 'conflicted').map(({ path }) => path);
    if (conflicts.length > 0)
      throw new GitError({ problem: 'conflicts', output: `unmerged: ${conflicts.join(', ')}` });

    const branch = yield* ctx.step('read the branch', () => branchOf(root), { reads: true });
    const picked = yield* chooseFiles(files, { branch, named }, ctx);
    if (!picked || picked.length === 0) return notCommitted('No files were chosen');

    const draft = given?.trim() ? splitMessage(given) : yield* draftMessage(root, picked, ctx);
    if (!draft) return notCommitted('The commit was cancelled');
    const paths = [...new Set(picked.map(({ path }) => path))];
    const count = paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files`;
    const message = yield* editMessage(draft, `${count} to ${branch} in ${name}`, ctx);
    if (message === undefined) return notCommitted('The message was not confirmed');

    yield* ctx.notify('Committing');
    const commit = yield* commitOnce(root, message, picked, ctx);
    return {
      status: 'committed' as const,
      summary: `Committed ${count} to ${branch} in ${name} as ${commit.slice(0, 8)}.`,
      commit,
      branch,
      message,
      files: paths,
    };
  });

function* branchOf(root: string): Operation<string> {
  return (yield* (yield* repositoryAt(root)).branch()) ?? 'a detached HEAD';
}

function notCommitted(why: string) {
  return { status: 'not_committed' as const, summary: `${why}. Nothing was committed.` };
}
