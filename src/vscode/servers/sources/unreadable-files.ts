import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { useDisposable } from '../../bridge.ts';
import type { FoundServer, SourceProblem } from './read-sources.ts';

/**
 * Servers of files that cannot be read as they are now: they stay as they were read before, as a tool does whose file does not build.
 * Who types in such a file, with the editor saving it meanwhile, would lose all of them at each comma.
 */
export function staying(
  before: readonly FoundServer[],
  now: readonly FoundServer[],
  problems: readonly SourceProblem[],
): readonly FoundServer[] {
  const unreadable = new Set(problems.map(({ file }) => file.toString()));
  const names = new Set(now.map(({ name }) => name));
  return before.filter(({ file, name }) => file && unreadable.has(file.toString()) && !names.has(name));
}

/** What is wrong with files of servers as a whole, in VS Code's Problems view, as long as the caller lives. */
export function* useShownProblems(): Operation<(problems: readonly SourceProblem[]) => void> {
  const collection = yield* useDisposable(() =>
    vscode.languages.createDiagnosticCollection('parley servers'),
  );
  return (problems) => {
    collection.clear();
    for (const { file, message } of problems) {
      const text = vscode.l10n.t('Could not read this file. Its servers are unchanged. {0}', message);
      const diagnostic = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), text);
      diagnostic.source = 'parley';
      collection.set(file, [diagnostic]);
    }
  };
}
