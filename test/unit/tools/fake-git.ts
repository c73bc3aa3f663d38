import type { Operation } from 'effection';
import type { GitAbility, GitChange, GitRepository } from '#src/core/editor.ts';

/** A repository that remembers what was done to it. */
export interface FakeRepository extends GitRepository {
  readonly did: readonly string[];
}

/** A repository with these changes; `commit` replaces what committing does. */
export function fakeRepository(
  changes: readonly GitChange[],
  commit: () => Operation<string> = function* () {
    return '0123456789abcdef';
  },
  root = 'file:///project/shop',
  diffs: Readonly<Record<string, string>> = {},
): FakeRepository {
  const did: string[] = [];
  return {
    root,
    did,
    *branch() {
      return 'main';
    },
    *head() {
      return did.some((one) => one.startsWith('commit')) ? '0123456789abcdef' : 'fedcba9876543210';
    },
    *changes() {
      return changes;
    },
    *diff({ path, staged }) {
      return diffs[path ?? ''] ?? `diff of ${path}${staged ? ', staged' : ''}`;
    },
    *stage(paths) {
      did.push(`stage ${paths.join(' ')}`);
    },
    *unstage(paths) {
      did.push(`unstage ${paths.join(' ')}`);
    },
    *commit(message, picked = []) {
      did.push(
        `commit ${picked.map(({ path, staged }) => `${path}${staged ? ' (staged)' : ''}`).join(', ')}: ${message}`,
      );
      return yield* commit();
    },
  };
}

/** The git of an editor with these repositories open. */
export function fakeGit(...repositories: readonly GitRepository[]): GitAbility {
  return {
    *repositories() {
      return repositories;
    },
  };
}
