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
  /** The commit does hold something else, and could not be taken back. */
  | 'kept';

const ADVICE: Readonly<Record<GitProblem, string>> = {
  unavailable:
    'the editor has no git at the moment. Enable its Git extension and the setting git.enabled, make sure that git is installed, and try again.',
  conflicts:
    'there are merge conflicts. Resolve them, stage the files they are in, and commit again; or abort the merge.',
  identity:
    'git does not know who commits. Set it with `git config --global user.name "…"` and `git config --global user.email "…"`, and commit again.',
  locked:
    'another program is using the repository (index.lock). Wait until it is done and try again; if none is running, delete that file.',
  refused: 'git refused. Nothing was committed; fix what it reports, and commit again.',
  inexact:
    'the commit would not have held exactly what was chosen, so it was not made, and what was staged is as before. A hook or another program may stage files: choose them as well, or stop it from doing so.',
  kept: 'the commit does not hold exactly what was chosen, and it could not be taken back, because it is a merge or somebody went on from it. Look at it with `git show`.',
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
export const GitError = defineError('GIT', 'GitError', (problem: GitProblem, output?: string) => {
  const said = (output ?? '').trim();
  const shown = said.length > LONGEST_OUTPUT ? `…${said.slice(-LONGEST_OUTPUT)}` : said;
  const lead = OWN_WORDS.includes(problem) ? ' ' : ' Git said:\n';
  return {
    message: shown === '' ? ADVICE[problem] : `${ADVICE[problem]}${lead}${shown}`,
    details: { problem },
  };
});

/** An error of git. */
export type GitError = InstanceType<typeof GitError>;
