import { pathToFileURL } from 'node:url';
import type { Operation } from 'effection';
import type { GitChange, GitRepository } from '../../../../core/editor/editor-git.ts';
import { defined } from '../../../../core/schema/defined.ts';
import { commitExactly, makeCommit } from './commit-exactly.ts';
import { diffOf, newFileDiff } from './file-diff.ts';
import { headOf, indexChanges, stagePaths, unstageChanges } from './index-changes.ts';
import { type Git, runGit } from './run-git.ts';
import { changesOf } from './status.ts';

/** Characters of a diff, unless the caller says otherwise. */
const MOST = 1_000_000;

/**
 * A repository by the git program alone: what goes to it as a path is one, whatever characters it has. `commitStaged`
 * commits what is staged, as the editor does it.
 */
export function createRepository(
  git: Git,
  commitStaged: (message: string) => Operation<void>,
  root = pathToFileURL(git.root).href,
): GitRepository {
  const renamedFrom = (changes: readonly GitChange[], paths: ReadonlySet<string>) =>
    changes.flatMap(({ path, from }) => (from !== undefined && paths.has(path) ? [from] : []));
  return {
    root,
    *branch() {
      const { text } = yield* runGit(git, ['symbolic-ref', '--short', '--quiet', 'HEAD'], { codes: [0, 1] });
      return text.trim() || undefined;
    },
    head: () => headOf(git),
    changes: () => changesOf(git),
    *diff({ path, staged, most = MOST }) {
      const diff = yield* diffOf(git, { staged, most, ...defined({ path }) });
      if (diff !== '' || path === undefined || staged) return diff;
      const untracked = (yield* changesOf(git)).some((one) => one.path === path && one.kind === 'untracked');
      return untracked ? yield* newFileDiff(git, path, most) : '';
    },
    *stage(paths) {
      yield* stagePaths(git, paths);
    },
    *unstage(paths) {
      const named = new Set(paths);
      for (const from of renamedFrom(yield* changesOf(git), named)) named.add(from);
      yield* unstageChanges(
        git,
        (yield* indexChanges(git)).filter(({ path }) => named.has(path)),
      );
    },
    *commit(message, changes) {
      const commit = () => commitStaged(message);
      return changes ? yield* commitExactly(git, changes, commit) : (yield* makeCommit(git, commit)).after;
    },
  };
}
