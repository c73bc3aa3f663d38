import { type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import type { Diagnostic, DiagnosticSeverity } from '../../../core/editor/editor-diagnostics.ts';
import { defined } from '../../../core/schema/defined.ts';
import { fromThenable, nextOf } from '../../bridge.ts';
import { fileInFolders } from './file-in-folders.ts';

/** Milliseconds that a language has for a file that is opened only now. */
const PATIENCE = 3000;

/**
 * The problems of one file, or of all files of the workspace. A file that is not open is opened, unseen, so that languages
 * look at it.
 */
export function* listDiagnostics(wanted?: string): Operation<readonly Diagnostic[]> {
  if (wanted === undefined) {
    return vscode.languages
      .getDiagnostics()
      .filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
      .flatMap(([uri, found]) => found.map((one) => diagnosticOf(uri, one)));
  }
  const uri = yield* fileInFolders(wanted);
  const open = vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());
  if (!open && vscode.languages.getDiagnostics(uri).length === 0) yield* openAndWait(uri);
  return vscode.languages.getDiagnostics(uri).map((one) => diagnosticOf(uri, one));
}

function* openAndWait(uri: vscode.Uri): Operation<void> {
  const told = nextOf(vscode.languages.onDidChangeDiagnostics, ({ uris }) =>
    uris.some((one) => one.toString() === uri.toString()),
  );
  yield* race([opened(uri, told), sleep(PATIENCE)]);
}

function* opened(uri: vscode.Uri, told: Operation<unknown>): Operation<void> {
  yield* fromThenable(vscode.workspace.openTextDocument(uri));
  if (vscode.languages.getDiagnostics(uri).length === 0) yield* told;
}

const SEVERITIES: readonly DiagnosticSeverity[] = ['error', 'warning', 'information', 'hint'];

function diagnosticOf(
  uri: vscode.Uri,
  { range, severity, message, source, code }: vscode.Diagnostic,
): Diagnostic {
  const named = typeof code === 'object' ? code.value : code;
  return {
    uri: uri.toString(),
    range: {
      start: { line: range.start.line, character: range.start.character },
      end: { line: range.end.line, character: range.end.character },
    },
    severity: SEVERITIES[severity] ?? 'hint',
    message,
    ...defined({ source }),
    ...(named === undefined ? {} : { code: String(named) }),
  };
}
