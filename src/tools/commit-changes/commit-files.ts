import { ensure, type Operation, scoped } from 'effection';
import type { GitRepository } from '../../core/editor/editor-git.ts';
import type { ChangedFile } from './changed-file.ts';

/**
 * Commits exactly these of all changes. When git refuses, or the call is stopped before it commits, the index is put
 * back; only what was staged of a file in part cannot be told apart again.
 *
 * @returns the commit's hash. @throws `GitError`.
 */
export function* commitFiles(
  repository: GitRepository,
  all: readonly ChangedFile[],
  picked: readonly ChangedFile[],
  message: string,
): Operation<string> {
  const pathsOf = (files: readonly ChangedFile[]) => new Set(files.map(({ path }) => path));
  const wanted = pathsOf(picked);
  const staged = pathsOf(all.filter((file) => file.staged));
  const changed = pathsOf(all.filter((file) => !file.staged));
  const stage = [...pathsOf(picked.filter((file) => !file.staged))];
  const unstage = [...staged].filter((path) => !wanted.has(path));

  return yield* scoped(function* () {
    // Once git is at it, a halt does not stop it: nobody knows then what the index is like.
    let undo = true;
    yield* ensure(function* () {
      if (!undo) return;
      yield* unstageAll(
        repository,
        stage.filter((path) => !staged.has(path)),
      );
      yield* stageAll(
        repository,
        unstage.filter((path) => !changed.has(path)),
      );
    });
    yield* unstageAll(repository, unstage);
    yield* stageAll(repository, stage);
    try {
      undo = false;
      return yield* repository.commit(message);
    } catch (error) {
      undo = true;
      throw error;
    }
  });
}

function* stageAll(repository: GitRepository, paths: readonly string[]): Operation<void> {
  if (paths.length > 0) yield* repository.stage(paths);
}

function* unstageAll(repository: GitRepository, paths: readonly string[]): Operation<void> {
  if (paths.length > 0) yield* repository.unstage(paths);
}
