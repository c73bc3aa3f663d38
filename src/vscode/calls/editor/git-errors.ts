import { GitError, type GitProblem } from '../../../core/errors/git-error.ts';
import { toError } from '../../../core/errors/parley-error.ts';

/** `gitErrorCode` of the Git extension's errors, where it says more than that git refused. */
const PROBLEMS: Readonly<Record<string, GitProblem>> = {
  NoUserNameConfigured: 'identity',
  NoUserEmailConfigured: 'identity',
  UnmergedChanges: 'conflicts',
  Conflict: 'conflicts',
  RepositoryIsLocked: 'locked',
  GitNotFound: 'unavailable',
};

/** What the Git extension threw, in our words and with what git and its hooks printed. */
export function gitErrorOf(thrown: unknown): GitError {
  const error = toError(thrown);
  const { gitErrorCode, stderr, stdout } = error as Error & Readonly<Record<string, unknown>>;
  const problem = (typeof gitErrorCode === 'string' ? PROBLEMS[gitErrorCode] : undefined) ?? 'refused';
  // A missing name is noticed by asking git for it: what that printed is nothing.
  const printed = [stdout, stderr].filter((text) => typeof text === 'string' && text.trim() !== '');
  const said = printed.length > 0 ? printed.join('\n') : problem === 'refused' ? error.message : '';
  return new GitError({ problem, output: said, cause: error });
}
