import type { Operation } from 'effection';
import { EditsContext, GitContext, type GitRepository } from '../../core/editor.ts';
import type { AnyTool } from '../../core/tool/tool.ts';

/**
 * Runs an operation where the editor lends a tool what it may have when a program outside the editor calls it: a tool that
 * does not say that it changes something (`.requires({ editor: true })`) can look, and nothing else. Its questions may be
 * answered by the very program that called it.
 */
export function* withLoansFor<T>(tool: AnyTool, op: () => Operation<T>): Operation<T> {
  if (tool.def.requires.editor) return yield* op();
  const refuse = function* (): Operation<never> {
    throw new Error(
      `'${tool.name}' changes something in the editor for a program outside of it, without the person's word. Add .requires({ editor: true }) to the tool: its questions are then asked in the editor's window.`,
    );
  };
  const git = yield* GitContext.get();
  const edits = yield* EditsContext.get();
  const looking = (repository: GitRepository): GitRepository => ({
    ...repository,
    stage: refuse,
    unstage: refuse,
    commit: refuse,
  });
  const withGit = git
    ? () =>
        GitContext.with(
          {
            *repositories() {
              return (yield* git.repositories()).map(looking);
            },
          },
          op,
        )
    : op;
  return yield* edits ? EditsContext.with({ ...edits, apply: refuse }, withGit) : withGit();
}
