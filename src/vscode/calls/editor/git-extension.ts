import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { GitError } from '../../../core/errors/git-error.ts';
import { fromThenable, nextOf } from '../../bridge.ts';

/**
 * What we use of the API of VS Code's Git extension, version 1.
 * Source: `extensions/git/src/api/git.d.ts` of VS Code.
 */
export interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  readonly repositories: readonly ApiRepository[];
  readonly git: { readonly path: string };
}

/** A repository, as that API has it. */
export interface ApiRepository {
  readonly rootUri: vscode.Uri;
  commit(message: string): Promise<void>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** Milliseconds until it must have looked at the workspace. */
const PATIENCE = 30_000;

/** The Git extension, once it knows the workspace. @throws `GitError` when it is disabled, or finds no git. */
export function* useGitApi(): Operation<GitApi> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) throw new GitError({ problem: 'unavailable' });
  const api = yield* apiOf(extension);
  if (api.state === 'initialized') return api;
  const changed = nextOf(api.onDidChangeState, (state) => state === 'initialized');
  yield* race([changed, sleep(PATIENCE)]);
  return api;
}

function* apiOf(extension: vscode.Extension<GitExtension>): Operation<GitApi> {
  try {
    return (yield* fromThenable(extension.activate())).getAPI(1);
  } catch (error) {
    // It throws where there is no git, too.
    throw new GitError({
      problem: 'unavailable',
      output: error instanceof Error ? error.message : '',
      cause: error,
    });
  }
}
