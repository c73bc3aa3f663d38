/**
 * What an editor lends to tools. Each ability is an Effection context, so a tool that uses one runs
 * in the editor, and in a test that sets another in its place.
 *
 * @example
 * const git = yield* useGit();
 * const [repository] = yield* git.repositories();
 * const changes = repository ? yield* repository.changes() : [];
 *
 * @example
 * // in a test
 * yield* GitContext.with(fakeGit, () => runMcpTool(commitChanges, {}, client));
 *
 * @packageDocumentation
 */

export {
  type Diagnostic,
  type DiagnosticSeverity,
  type DiagnosticsAbility,
  DiagnosticsContext,
  type Position,
  type Range,
  useDiagnostics,
} from './editor/editor-diagnostics.ts';
export { type EditsAbility, EditsContext, type TextEdit, useEdits } from './editor/editor-edits.ts';
export {
  type GitAbility,
  type GitChange,
  type GitChangeKind,
  GitContext,
  type GitRepository,
  useGit,
} from './editor/editor-git.ts';
export { GitError, type GitProblem } from './errors/git-error.ts';
