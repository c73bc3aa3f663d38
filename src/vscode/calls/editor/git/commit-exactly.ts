import { ensure, type Operation, scoped } from 'effection';
import type { GitChange } from '../../../../core/editor/editor-git.ts';
import { GitError } from '../../../../core/errors/git-error.ts';
import { headOf, indexChanges, pathsBetween, stagePaths, unstageChanges } from './index-changes.ts';
import { takeSnapshot } from './index-snapshot.ts';
import { type Git, runGit } from './run-git.ts';

/**
 * Commits these changes and nothing else, by `commit`, which commits what is staged. When git refuses, the commit would
 * hold something else, or the call is stopped before it commits, the index is what it was before.
 *
 * A hook may stage what nobody chose: such a commit is taken back.
 *
 * @returns the commit's hash. @throws `GitError`.
 */
export function* commitExactly(
  git: Git,
  changes: readonly GitChange[],
  commit: () => Operation<void>,
): Operation<string> {
  const wanted = pathsOf(changes);
  return yield* scoped(function* () {
    const snapshot = yield* takeSnapshot(git);
    // Once git is at it, a halt does not stop it: nobody knows then what the index is like.
    let undo = true;
    yield* ensure(function* () {
      if (undo) yield* snapshot.restore();
      yield* snapshot.drop();
    });
    yield* unstageChanges(
      git,
      (yield* indexChanges(git)).filter(({ path }) => !wanted.has(path)),
    );
    // What is gone first: a folder may be where a file was.
    const unstaged = changes.filter(({ staged }) => !staged);
    yield* stagePaths(git, [
      ...unstaged.filter(({ kind }) => kind === 'deleted').map(({ path }) => path),
      ...pathsOf(unstaged.filter(({ kind }) => kind !== 'deleted')),
    ]);
    const staged = (yield* indexChanges(git)).map(({ path }) => path);
    const difference = differenceOf(wanted, staged);
    if (difference) throw new GitError({ problem: 'inexact', output: difference });
    const { before, after } = yield* makeCommit(git, function* () {
      try {
        undo = false;
        yield* commit();
      } catch (error) {
        undo = true;
        throw error;
      }
    });
    const extra = differenceOf(wanted, yield* pathsBetween(git, before, after));
    if (!extra) return after;
    undo = yield* takenBack(git, before, after);
    throw new GitError({ problem: undo ? 'inexact' : 'kept', output: extra });
  });
}

/** Where `commit` leads, and where it began. @throws `GitError` when no commit came of it. */
export function* makeCommit(
  git: Git,
  commit: () => Operation<void>,
): Operation<{ readonly before: string | undefined; readonly after: string }> {
  const before = yield* headOf(git);
  yield* commit();
  const after = yield* headOf(git);
  if (after === undefined || after === before)
    throw new GitError({ problem: 'refused', output: 'no new commit came of it' });
  return { before, after };
}

/** Both names of what was renamed. */
function pathsOf(changes: readonly GitChange[]): Set<string> {
  return new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
}

/** In words, what differs; `undefined` when nothing does. */
function differenceOf(wanted: ReadonlySet<string>, found: readonly string[]): string | undefined {
  const has = new Set(found);
  const extra = found.filter((path) => !wanted.has(path));
  const missing = [...wanted].filter((path) => !has.has(path));
  if (extra.length > 0) return `It would also have contained ${listed(extra)}.`;
  return missing.length > 0 ? `It would not have contained ${listed(missing)}.` : undefined;
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => JSON.stringify(path));
  return `${shown.join(', ')}${paths.length > shown.length ? ` and ${paths.length - shown.length} more` : ''}`;
}

/** Whether the commit was taken back: not when it is a merge, or has later commits. */
function* takenBack(git: Git, before: string | undefined, after: string): Operation<boolean> {
  const { text } = yield* runGit(git, ['rev-list', '--parents', '--max-count=1', 'HEAD']);
  if (text.trim() !== [after, before].filter(Boolean).join(' ')) return false;
  const to =
    before === undefined ? ['update-ref', '-d', 'HEAD', after] : ['update-ref', 'HEAD', before, after];
  yield* runGit(git, to);
  return true;
}
