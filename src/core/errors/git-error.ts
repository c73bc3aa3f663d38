import { ParleyError } from './errors.ts';

/** What git stumbled over. */
export type GitProblem = 'unavailable' | 'conflicts' | 'identity' | 'locked' | 'refused';

const ADVICE: Readonly<Record<GitProblem, string>> = {
  unavailable:
    'the editor has no git at the moment. Enable its Git extension and the setting git.enabled, make sure that git is installed, and try again.',
  conflicts:
    'there are merge conflicts. Resolve them, stage the files they are in, and commit again; or abort the merge.',
  identity:
    'git does not know who commits. Set it with `git config --global user.name "…"` and `git config --global user.email "…"`, and commit again.',
  locked:
    'another program is using the repository (index.lock). Wait until it is done and try again; if none is running, delete that file.',
  refused: 'git refused. Nothing was committed; mend what it says, and commit again.',
};

/** Longer words of git are cut: a hook may print a whole build. */
const LONGEST_OUTPUT = 4000;

/**
 * Git could not do what it was asked to. The message says what to do, and what git (or a hook) said.
 *
 * @example
 * try {
 *   yield* repository.commit('fix: typo');
 * } catch (error) {
 *   if (!isParleyError(error, 'GIT')) throw error;
 *   yield* ctx.log('error', error.message);
 * }
 */
export class GitError extends ParleyError {
  /** @param output what git and its hooks printed. */
  constructor(problem: GitProblem, output = '', options?: ErrorOptions) {
    const said = output.trim();
    const shown = said.length > LONGEST_OUTPUT ? `…${said.slice(-LONGEST_OUTPUT)}` : said;
    super('GIT', shown === '' ? ADVICE[problem] : `${ADVICE[problem]} Git said:\n${shown}`, {
      ...options,
      details: { problem },
    });
  }

  get problem(): GitProblem {
    return this.details?.problem as GitProblem;
  }
}
