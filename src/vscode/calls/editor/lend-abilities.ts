import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { DiagnosticsContext } from '../../../core/editor/editor-diagnostics.ts';
import { EditsContext } from '../../../core/editor/editor-edits.ts';
import { GitContext } from '../../../core/editor/editor-git.ts';
import { fromThenable } from '../../bridge.ts';

/**
 * Lends the editor to all calls that begin below the caller's scope, whoever asked for them and wherever their tool came
 * from. What does the work is loaded when a tool first uses it.
 */
export function* lendAbilities(): Operation<void> {
  yield* GitContext.set({
    *repositories() {
      const { repositories } = yield* fromThenable(import('./git.ts'));
      return yield* repositories();
    },
  });
  yield* DiagnosticsContext.set({
    *list(uri) {
      const { listDiagnostics } = yield* fromThenable(import('./diagnostics.ts'));
      return yield* listDiagnostics(uri);
    },
  });
  yield* EditsContext.set({
    *folders() {
      const folders = vscode.workspace.workspaceFolders ?? [];
      return folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
    },
    *read(uri) {
      const { readText } = yield* fromThenable(import('./edits.ts'));
      return yield* readText(uri);
    },
    *preview(title, edits) {
      const { showPreview } = yield* fromThenable(import('./preview.ts'));
      yield* showPreview(title, edits);
    },
    *apply(label, edits, seen) {
      const { applyEdits } = yield* fromThenable(import('./edits.ts'));
      return yield* applyEdits(label, edits, seen);
    },
  });
}
