import { execFileSync } from 'node:child_process';
import { repoRoot } from './paths.ts';

/** What `--changed` is about: what is not in the branch that this one goes to. */
export interface Change {
  /** The commit that it began at. */
  readonly since: string;
  /** Files that differ, by their paths; also those that git does not know yet. */
  readonly files: readonly string[];
}

/** What has changed here. Without another branch to compare with, what is not committed. */
export function readChange(git = runGit): Change {
  let since = 'HEAD';
  try {
    since = git('merge-base', 'HEAD', '@{upstream}');
  } catch {
    // It goes nowhere yet.
  }
  const lines = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')];
  return { since, files: lines.flatMap((text) => text.split('\n')).filter((file) => file !== '') };
}

function runGit(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8' }).trim();
}

/** How far changes come into a stage. */
export interface Reach {
  /** Files that every test of it may look at, or run in a process; without, it looks at everything. */
  readonly whole?: RegExp;
  /** Of other files its runner finds by itself which tests import them. */
  readonly related?: true;
}

/** What of a stage a change reaches; nothing when it reaches none of it. */
export function reached<S extends Reach & { readonly args?: readonly string[] }>(
  stage: S,
  { since, files }: Change,
): (S & { readonly mayBeEmpty?: true }) | undefined {
  const { whole, related, args = [] } = stage;
  if (whole === undefined || files.some((file) => whole.test(file))) return stage;
  if (!related) return undefined;
  return { ...stage, args: [...args, `--changed=${since}`, '--passWithNoTests'], mayBeEmpty: true };
}
