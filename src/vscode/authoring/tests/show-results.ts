import * as vscode from 'vscode';
import { type EndedTest, stackLine } from './test-report.ts';

/** A run of a file: the file's item, and what of it was asked for. */
export interface FileRun {
  readonly controller: vscode.TestController;
  readonly run: vscode.TestRun;
  readonly file: vscode.TestItem;
  readonly items: readonly vscode.TestItem[];
}

/** Shows how the tests of a file ended. What did not end failed with `problem`: the file could not be loaded, or was stopped. */
export function showResults(about: FileRun, tests: readonly EndedTest[], problem: string): void {
  const { run, file, items } = about;
  const shown = new Set<vscode.TestItem>();
  for (const test of tests.filter(({ suite }) => !suite)) {
    const item = itemOf(about, test, shown);
    shown.add(item);
    if (test.how === 'passed') run.passed(item, test.duration);
    else if (test.how === 'skipped') run.skipped(item);
    else run.failed(item, messageOf(test, item), test.duration);
  }
  for (const item of items) {
    if (shown.has(item)) continue;
    if (item === file && shown.size > 0) continue;
    const text = problem.trim() || vscode.l10n.t('The test did not run.');
    run.errored(item, new vscode.TestMessage(text));
  }
}

/** The test's row; a new one for a test that the text of the file did not show. */
function itemOf(
  { controller, file }: FileRun,
  { name, line }: EndedTest,
  shown: ReadonlySet<vscode.TestItem>,
): vscode.TestItem {
  const known = [...file.children].map(([, item]) => item).filter(({ label }) => label === name);
  const there = known.find(({ range }) => range !== undefined && range.start.line + 1 === line);
  const free = there ?? known.find((item) => !shown.has(item));
  if (free && !shown.has(free)) return free;
  const item = controller.createTestItem(`${file.id}#${file.children.size}:${name}`, name, file.uri);
  if (line !== undefined) item.range = new vscode.Range(line - 1, 0, line - 1, 0);
  file.children.add(item);
  return item;
}

function messageOf({ message = '', stack, expected, actual }: EndedTest, { uri, range }: vscode.TestItem) {
  const said =
    expected !== undefined && actual !== undefined
      ? vscode.TestMessage.diff(message, expected, actual)
      : new vscode.TestMessage(message);
  const line = uri && stackLine(stack, uri.fsPath);
  const at = line === undefined ? range?.start : new vscode.Position(line - 1, 0);
  if (uri && at) said.location = new vscode.Location(uri, at);
  return said;
}
