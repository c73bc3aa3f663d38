import type { Operation } from 'effection';
import { callContext } from '../world/call-context.ts';
import { useAbility } from './editor-ability.ts';

/** How a file differs. */
export type GitChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'untracked' | 'conflicted';

/** One changed file. A file that is partly staged is listed twice, once with each `staged`. */
export interface GitChange {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** Where a renamed file was. */
  readonly from?: string | undefined;
  readonly kind: GitChangeKind;
  readonly staged: boolean;
}

/** One repository of the workspace. Paths are relative to its root, with `/`. */
export interface GitRepository {
  /** A `file:` URI. */
  readonly root: string;
  /** The branch that is checked out; `undefined` on a detached head. */
  branch(): Operation<string | undefined>;
  /** The full hash of the commit that is checked out; `undefined` before the first one. */
  head(): Operation<string | undefined>;
  changes(): Operation<readonly GitChange[]>;
  /**
   * The unified diff of a file, or of everything: of what is staged against the last commit, or of the rest. A file that
   * git does not track differs as a whole when it is named, and is left out of everything. Of a link it is the path that the
   * link points to. No more than `most` characters are read (a million by default): a longer one ends in `[cut]`.
   */
  diff(options: {
    readonly path?: string;
    readonly staged: boolean;
    readonly most?: number;
  }): Operation<string>;
  /** Takes files as they are now into the next commit. Each is a path: none is a pattern, whatever it looks like. */
  stage(paths: readonly string[]): Operation<void>;
  /** Takes files out of the next commit; what they hold stays as it is. A renamed file goes by its new path. */
  unstage(paths: readonly string[]): Operation<void>;
  /**
   * Commits what is staged; with `changes` exactly these, of all that `changes()` listed: they are staged, and whatever
   * else is staged is taken out. When git refuses, or the commit would hold anything else, all that is staged is as it was.
   *
   * @returns the commit's full hash. @throws `GitError`, also when a hook refuses.
   */
  commit(message: string, changes?: readonly GitChange[]): Operation<string>;
}

/** The git of the editor. */
export interface GitAbility {
  /** The repositories of the workspace; none in a folder without git. @throws `GitError` when git itself is missing. */
  repositories(): Operation<readonly GitRepository[]>;
}

/** The git that an editor lends. */
export const GitContext = callContext<GitAbility>('parley.editor.git');

/** The editor's git. @throws `McpCapabilityError` outside an editor. */
export function useGit(): Operation<GitAbility> {
  return useAbility(GitContext, 'editor.git');
}
