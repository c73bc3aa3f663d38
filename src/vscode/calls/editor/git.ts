import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { GitRepository } from '../../../core/editor/editor-git.ts';
import { GitError } from '../../../core/errors/git-error.ts';
import { fromThenable } from '../../bridge.ts';
import { createRepository } from './git/repository.ts';
import { gitErrorOf } from './git-errors.ts';
import { type ApiRepository, useGitApi } from './git-extension.ts';

/**
 * The repositories that the editor's Git extension knows. It finds them, and commits as the person has set it up (signing,
 * hooks, who commits); all else is asked of git itself, because the extension takes paths for patterns.
 *
 * @throws `GitError` when there is no git.
 */
export function* repositories(): Operation<readonly GitRepository[]> {
  const api = yield* useGitApi();
  const enabled = vscode.workspace.getConfiguration('git').get<boolean>('enabled', true);
  // Turned off, it stays active and forgets its repositories.
  if (api.repositories.length === 0 && !enabled) throw new GitError({ problem: 'unavailable' });
  return api.repositories.map((repository) => repositoryOf(repository, api.git.path));
}

function repositoryOf(api: ApiRepository, program: string): GitRepository {
  const { rootUri } = api;
  return createRepository(
    { program, root: rootUri.fsPath },
    function* (message) {
      yield* attempt(() => api.commit(message));
    },
    rootUri.toString(),
  );
}

function* attempt<T>(act: () => Promise<T>): Operation<T> {
  try {
    return yield* fromThenable(act());
  } catch (error) {
    throw gitErrorOf(error);
  }
}
