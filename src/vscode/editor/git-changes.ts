import type { Uri } from 'vscode';
import type { GitChange, GitChangeKind } from '../../core/editor/editor-git.ts';
import type { ApiChange, ApiRepository } from './git-extension.ts';

/** The Git extension's `Status`, as far as it is no modification. Those from 12 on are conflicts. */
const KINDS: Readonly<Record<number, GitChangeKind>> = {
  1: 'added',
  2: 'deleted',
  3: 'renamed',
  4: 'added',
  6: 'deleted',
  7: 'untracked',
  9: 'added',
  10: 'renamed',
};
const IGNORED = 8;

type Changed = Pick<ApiRepository, 'rootUri' | 'state'>;

/** What differs in a repository, by path, each with whether it is staged. */
export function changesOf(repository: Changed): readonly GitChange[] {
  const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const shown = ({ status }: ApiChange) => status !== IGNORED;
  return [
    ...mergeChanges.map((change) => ({
      ...changeOf(repository, change, false),
      kind: 'conflicted' as const,
    })),
    ...indexChanges.map((change) => changeOf(repository, change, true)),
    ...[...workingTreeChanges, ...untrackedChanges]
      .filter(shown)
      .map((change) => changeOf(repository, change, false)),
  ];
}

function changeOf(repository: Changed, change: ApiChange, staged: boolean): GitChange {
  const { uri, originalUri, renameUri, status } = change;
  const kind = KINDS[status] ?? 'modified';
  const now = kind === 'renamed' ? (renameUri ?? uri) : uri;
  return {
    path: pathIn(repository, now),
    ...(kind === 'renamed' ? { from: pathIn(repository, originalUri) } : {}),
    kind,
    staged,
  };
}

/** A file's path relative to the root of its repository, with `/`. */
export function pathIn({ rootUri }: Pick<ApiRepository, 'rootUri'>, { path }: Uri): string {
  const root = rootUri.path.replace(/\/+$/, '');
  // Windows is not sure how it writes its drives.
  return path.slice(0, root.length).toLowerCase() === root.toLowerCase() ? path.slice(root.length + 1) : path;
}
