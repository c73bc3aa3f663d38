import * as vscode from 'vscode';
import { type CoveredFile, mergeCoverage } from './test-report.ts';

const details = new WeakMap<vscode.FileCoverage, readonly vscode.StatementCoverage[]>();

/** Shows which lines of which files ran. */
export function showCoverage(run: vscode.TestRun, files: readonly CoveredFile[]): void {
  for (const [file, counts] of mergeCoverage(files)) {
    const lines = [...counts].map(
      ([line, count]) => new vscode.StatementCoverage(count, new vscode.Position(line - 1, 0)),
    );
    const coverage = vscode.FileCoverage.fromDetails(vscode.Uri.file(file), lines);
    details.set(coverage, lines);
    run.addCoverage(coverage);
  }
}

/** The lines of a file. */
export async function coverageOf(_run: vscode.TestRun, coverage: vscode.FileCoverage) {
  return [...(details.get(coverage) ?? [])];
}
