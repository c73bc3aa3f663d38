import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Operation } from 'effection';
import { until } from 'effection';
import type { GitRepository } from '#src/core/editor/editor-git.ts';
import { GitError } from '#src/core/errors/git-error.ts';
import { createRepository } from '#src/vscode/calls/editor/git/repository.ts';
import { tempFolder } from '#test/temp-folder.ts';

/** A real repository in a folder of its own. */
export interface RealGit {
  readonly folder: string;
  readonly repository: GitRepository;
  /** What git printed, as it is. */
  git(args: readonly string[], input?: string): Promise<string>;
  /** Output of git that is separated by NUL. */
  list(...args: string[]): Promise<string[]>;
}

/** Makes one, without any commit. `commit` replaces how the editor commits. */
export async function realGit(commit?: (message: string) => Operation<void>): Promise<RealGit> {
  const folder = tempFolder();
  const git = async (args: readonly string[], input?: string) => {
    const child = promisify(execFile)('git', args, { cwd: folder, maxBuffer: 1e8 });
    // Git that fails at once does not read.
    child.child.stdin?.on('error', () => {}).end(input ?? '');
    return (await child).stdout;
  };
  await git(['init', '--quiet', '--initial-branch=main']);
  await git(['config', 'user.name', 'Ada']);
  await git(['config', 'user.email', 'ada@example.com']);
  function* commitAsGit(message: string): Operation<void> {
    try {
      yield* until(git(['commit', '--quiet', '--file', '-'], message));
    } catch (error) {
      throw new GitError({ problem: 'refused', output: String((error as { stderr?: string }).stderr) });
    }
  }
  return {
    folder,
    repository: createRepository({ program: 'git', root: folder }, commit ?? commitAsGit),
    git,
    list: async (...args) => (await git(args)).split('\0').filter((part) => part !== ''),
  };
}
