import type { Operation } from 'effection';
import { GitError } from '../../../../core/errors/git-error.ts';
import { type Git, runGit, splitAtNul } from './run-git.ts';

/** What the index holds of one path that differs from the last commit. A rename is two of them. */
export interface IndexChange {
  readonly path: string;
  /** Mode and object of the last commit; a mode of zeros for a path that it does not have. */
  readonly before: string;
  readonly hash: string;
}

/** The commit that is checked out; `undefined` before the first one. */
export function* headOf(git: Git): Operation<string | undefined> {
  const { text } = yield* runGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD'], { codes: [0, 1] });
  return text.trim() || undefined;
}

/** The paths that a commit would change now, whole and exactly, submodules included. */
export function* indexChanges(git: Git): Operation<readonly IndexChange[]> {
  const against = (yield* headOf(git)) ?? (yield* emptyTree(git));
  const { text, cut } = yield* runGit(git, [
    'diff-index',
    '--cached',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--ignore-submodules=none',
    '-z',
    against,
  ]);
  if (cut) throw new GitError({ problem: 'refused', output: 'More is staged than can be looked through.' });
  const parts = splitAtNul(text);
  const changes: IndexChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = '', , hash = '', , status = ''] = (parts[at] ?? '').slice(1).split(' ');
    const path = parts[at + 1] ?? '';
    if (status.startsWith('U')) throw new GitError({ problem: 'conflicts', output: `unmerged: ${path}` });
    changes.push({ path, before, hash });
  }
  return changes;
}

/** Takes paths as they are now, in the folder, into the index. Git reads them one by one: none is a pattern. */
export function* stagePaths(git: Git, paths: Iterable<string>): Operation<void> {
  yield* feed(git, ['--add', '--remove', '--replace', '-z', '--stdin'], [...paths]);
}

/** Puts paths of the index back to what the last commit has. */
export function* unstageChanges(git: Git, changes: readonly IndexChange[]): Operation<void> {
  // What goes away first: it may be in the way, as a folder is of a file.
  const lines = [...changes]
    .sort((a, b) => a.before.localeCompare(b.before))
    .map(({ before, hash, path }) => `${Number(before) === 0 ? '0' : before} ${hash}\t${path}`);
  yield* feed(git, ['--replace', '-z', '--index-info'], lines);
}

/** What differs between two commits, by path. */
export function* pathsBetween(
  git: Git,
  before: string | undefined,
  after: string,
): Operation<readonly string[]> {
  const from = before ?? (yield* emptyTree(git));
  const how = ['-r', '--name-only', '--no-renames', '--ignore-submodules=none', '-z'];
  const { text } = yield* runGit(git, ['diff-tree', ...how, from, after]);
  return splitAtNul(text);
}

function* feed(git: Git, args: readonly string[], lines: readonly string[]): Operation<void> {
  if (lines.length === 0) return;
  yield* runGit(git, ['update-index', ...args], { input: lines.map((line) => `${line}\0`).join('') });
}

/** The tree of nothing; which hash that is depends on the repository. */
function* emptyTree(git: Git): Operation<string> {
  return (yield* runGit(git, ['hash-object', '-t', 'tree', '--stdin'])).text.trim();
}
