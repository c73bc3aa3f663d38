import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { forgottenIn } from '../../../source/forgotten.ts';
import type { Problem, RelatedLocation } from '../../../workspace/registry/problem.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { useDisposable, useSubscription } from '../../bridge.ts';
import { languages } from '../workspace/tool-languages.ts';

/** What is wrong with tool files, in VS Code's Problems view. */
export function* useProblems(registry: ToolRegistry): Operation<void> {
  const collection = yield* useDisposable(() => vscode.languages.createDiagnosticCollection('parley'));
  const update = () => {
    const byFile = Map.groupBy(registry.problems(), (problem) => problem.file);
    collection.set([
      ...[...byFile].map(([file, problems]): [vscode.Uri, vscode.Diagnostic[]] => [
        vscode.Uri.file(file),
        problems.map(diagnosticOf),
      ]),
    ]);
  };
  update();
  const providedCodeActionKinds = [vscode.CodeActionKind.QuickFix];
  yield* useDisposable(() =>
    vscode.languages.registerCodeActionsProvider(
      languages,
      { provideCodeActions: (document, _range, { diagnostics }) => fixesIn(document, diagnostics) },
      { providedCodeActionKinds },
    ),
  );
  yield* useSubscription(() =>
    registry.subscribe((change) => {
      if (!change.problems) return;
      collection.clear();
      update();
    }),
  );
}

const severities: Record<Problem['severity'], vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

function diagnosticOf(problem: Problem): vscode.Diagnostic {
  const severity = severities[problem.severity];
  const diagnostic = new vscode.Diagnostic(rangeOf(problem, problem.length), problem.message, severity);
  diagnostic.source = 'parley';
  diagnostic.code = problem.kind;
  diagnostic.relatedInformation = (problem.related ?? []).map(
    (place) => new vscode.DiagnosticRelatedInformation(locationOf(place), place.message),
  );
  return diagnostic;
}

/** Each verb that does nothing can be run. */
function fixesIn(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]) {
  const wrong = diagnostics.filter(({ source, code }) => source === 'parley' && code === 'forgotten');
  const found = wrong.length > 0 ? forgottenIn(document.getText()) : [];
  return wrong.flatMap((diagnostic) => {
    const at = document.offsetAt(diagnostic.range.start);
    const forgotten = found.find(({ start }) => start === at);
    if (!forgotten) return [];
    const fix = new vscode.CodeAction(vscode.l10n.t('Add yield*'), vscode.CodeActionKind.QuickFix);
    const { end, right } = forgotten;
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, new vscode.Range(diagnostic.range.start, document.positionAt(end)), right);
    fix.diagnostics = [diagnostic];
    fix.isPreferred = true;
    return [fix];
  });
}

function locationOf(place: RelatedLocation): vscode.Location {
  return new vscode.Location(vscode.Uri.file(place.file), rangeOf(place, 0));
}

function rangeOf(place: { readonly line: number; readonly column: number }, length: number): vscode.Range {
  return new vscode.Range(place.line - 1, place.column - 1, place.line - 1, place.column - 1 + length);
}
