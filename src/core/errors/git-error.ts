import { defineError } from './define-error.ts';

/** What git stumbled over. */
export type GitProblem =
  | 'unavailable'
  | 'conflicts'
  | 'identity'
  | 'locked'
  | 'refused'
  /** The commit would have held something else than what was chosen. */
  | 'inexact'
  /** The commit does hold something else, and could not be undone. */
  | 'kept';

const ADVICE: Readonly<Record<GitProblem, string>> = {
  unavailable:
    'git is not available in the editor. Enable the Git extension and the setting git.enabled, check that git is installed, and try again.',
  conflicts:
    'there are merge conflicts. Resolve them, stage the files, and commit again, or abort the merge.',
  identity:
    'git does not know the author of the commit. Set one with `git config --global user.name "…"` and `git config --global user.email "…"`, and commit again.',
  locked:
    'another program is using the repository (index.lock). Wait until it is done and try again; if none is running, delete that file.',
  refused: 'git refused. Nothing was committed; fix what it reports, and commit again.',
  inexact:
    'the commit would not have contained exactly the chosen changes, so it was not made. Staged changes are as before. A hook or another program may stage files: choose those too, or turn it off.',
  kept: 'the commit does not contain exactly the chosen changes, and it could not be undone because it is a merge or has later commits. Inspect it with `git show`.',
};

/** What follows the advice for problems that git itself said nothing of. */
const OWN_WORDS: readonly GitProblem[] = ['inexact', 'kept'];

/** Longer words of git are cut: a hook may print a whole build. */
const LONGEST_OUTPUT = 4000;

/**
 * Git could not do what it was asked to. The message says what to do, and what git (or a hook) printed, or what was found.
 *
 * @example
 * try {
 *   yield* repository.commit('fix: typo');
 * } catch (error) {
 *   if (!isParleyError(error, 'GIT')) throw error;
 *   yield* ctx.log('error', error.message);
 * }
 */
export const GitError = defineError(
  'GIT',
  'GitError',
  ({ problem, output }: { problem: GitProblem; output?: string | undefined }) => {
    const said = (output ?? '').trim();
    const shown = said.length > LONGEST_OUTPUT ? `…${said.slice(-LONGEST_OUTPUT)}` : said;
    const lead = OWN_WORDS.includes(problem) ? ' ' : ' Git said:\n';
    return {
      message: shown === '' ? ADVICE[problem] : `${ADVICE[problem]}${lead}${shown}`,
      details: { problem },
    };
  },
);

/** An error of git. */
export type GitError = InstanceType<typeof GitError>;
