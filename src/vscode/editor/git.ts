import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { GitRepository } from '../../core/editor/editor-git.ts';
import { GitError } from '../../core/errors/git-error.ts';
import { fromThenable } from '../bridge.ts';
import { changesOf, pathIn } from './git-changes.ts';
import { gitErrorOf } from './git-errors.ts';
import { type ApiRepository, useGitApi } from './git-extension.ts';
import { newFileDiff } from './new-file-diff.ts';

/** The repositories that the editor's Git extension knows. @throws `GitError` when there is no git. */
export function* repositories(): Operation<readonly GitRepository[]> {
  const api = yield* useGitApi();
  const enabled = vscode.workspace.getConfiguration('git').get<boolean>('enabled', true);
  // Turned off, it stays active and forgets its repositories.
  if (api.repositories.length === 0 && !enabled) throw new GitError('unavailable');
  return api.repositories.map(repositoryOf);
}

function repositoryOf(api: ApiRepository): GitRepository {
  const absolute = (path: string) => vscode.Uri.joinPath(api.rootUri, ...path.split('/')).fsPath;
  return {
    root: api.rootUri.toString(),
    *branch() {
      return api.state.HEAD?.name;
    },
    *changes() {
      yield* attempt(() => api.status());
      return changesOf(api);
    },
    *diff({ path, staged }) {
      if (path === undefined) return yield* attempt(() => api.diff(staged));
      const file = absolute(path);
      if (staged) return yield* attempt(() => api.diffIndexWithHEAD(file));
      const diff = yield* attempt(() => api.diffWithHEAD(file));
      const untracked = changesOf(api).some((one) => one.path === path && one.kind === 'untracked');
      return diff === '' && untracked ? yield* newFileDiff(path, vscode.Uri.file(file)) : diff;
    },
    *stage(paths) {
      yield* attempt(() => api.add(paths.map(absolute)));
    },
    *unstage(paths) {
      const renamed = api.state.indexChanges
        .filter(({ uri, renameUri }) => paths.includes(pathIn(api, renameUri ?? uri)))
        .map(({ originalUri }) => originalUri.fsPath);
      yield* attempt(() => api.revert([...new Set([...paths.map(absolute), ...renamed])]));
    },
    *commit(message) {
      const before = api.state.HEAD?.commit;
      yield* attempt(() => api.commit(message));
      yield* attempt(() => api.status());
      const commit = api.state.HEAD?.commit;
      if (commit === undefined || commit === before) {
        throw new GitError('refused', 'no new commit came of it');
      }
      return commit;
    },
  };
}

function* attempt<T>(act: () => Promise<T>): Operation<T> {
  try {
    return yield* fromThenable(act());
  } catch (error) {
    throw gitErrorOf(error);
  }
}
