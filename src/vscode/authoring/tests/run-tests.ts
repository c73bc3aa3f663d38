import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, scoped, until } from 'effection';
import * as vscode from 'vscode';
import { useExtension } from '../../contexts.ts';
import type { AuthorKits } from '../workspace/author-kits.ts';
import { debugTests } from './debug-tests.ts';
import { patternOf } from './find-tests.ts';
import { showCoverage } from './show-coverage.ts';
import { showResults } from './show-results.ts';
import { nodeArguments, nodeHere, runTestProcess, type TestFile, useReportFile } from './test-process.ts';
import { type CoveredFile, ownFiles, readReport } from './test-report.ts';

/** What of the controller a run needs. */
export interface TestRunParts {
  readonly controller: vscode.TestController;
  readonly kits: AuthorKits;
  /** Reads a file's tests again, so that a result finds its test. */
  refresh(file: vscode.TestItem): Operation<void>;
}

/** How tests are run. */
export type TestRunKind = 'run' | 'debug' | 'coverage';

/** Runs what was asked for, a file after the other, each in a process of its own. Halting ends the one that runs. */
export function* runTests(
  { controller, kits, refresh }: TestRunParts,
  request: vscode.TestRunRequest,
  kind: TestRunKind,
): Operation<void> {
  const run = controller.createTestRun(request);
  const dist = join((yield* useExtension()).extensionUri.fsPath, 'dist');
  const covered: CoveredFile[] = [];
  try {
    const wanted = wantedOf(controller, request);
    for (const items of wanted.values()) for (const item of testsOf(items)) run.enqueued(item);
    for (const [file, items] of wanted) {
      const folder = file.uri && vscode.workspace.getWorkspaceFolder(file.uri);
      if (!file.uri || !folder) continue;
      yield* refresh(file);
      const { writeParleyFolderForTest } = yield* until(import('../../../workspace/scaffold/index.ts'));
      yield* writeParleyFolderForTest(join(folder.uri.fsPath, '.parley'), file.uri.fsPath);
      yield* kits.provide(folder);
      for (const item of testsOf(items)) run.started(item);
      const whole = items.includes(file);
      const about: TestFile = {
        file: file.uri.fsPath,
        folder: folder.uri.fsPath,
        pattern: whole ? undefined : patternOf(items.map(({ label }) => label)),
        coverage: kind === 'coverage',
      };
      const { text, problem } = yield* runFile(about, { dist, run, debug: kind === 'debug' });
      const { tests, files, warnings } = readReport(text);
      for (const warning of warnings) run.appendOutput(`${warning}\r\n`);
      showResults({ controller, run, file, items }, tests, problem);
      covered.push(...ownFiles(files, about.folder, yield* until(realpath(about.folder))));
    }
    if (kind === 'coverage') showCoverage(run, covered);
  } finally {
    run.end();
  }
}

function runFile(
  about: TestFile,
  { dist, run, debug }: { readonly dist: string; readonly run: vscode.TestRun; readonly debug: boolean },
): Operation<{ readonly text: string; readonly problem: string }> {
  return scoped(function* () {
    const report = yield* useReportFile();
    const { program, env } = nodeHere();
    const command = {
      program,
      env: { ...env, PARLEY_DIST: dist },
      args: nodeArguments(about, dist, report.path),
    };
    const print = (text: string) => run.appendOutput(text.replace(/\r?\n/g, '\r\n'));
    const problem = debug
      ? yield* debugTests(command, about)
      : yield* runTestProcess(command, about.file, print);
    return { text: yield* report.read(), problem };
  });
}

/** What ends by itself: a file has a result of its own only where none of its tests is known. */
function testsOf(items: readonly vscode.TestItem[]): readonly vscode.TestItem[] {
  return items.flatMap((item) =>
    item.children.size > 0 ? [...item.children].map(([, test]) => test) : item,
  );
}

/** The files to run, each with what of it: itself, or some of its tests. */
function wantedOf(
  { items }: vscode.TestController,
  { include, exclude = [] }: vscode.TestRunRequest,
): Map<vscode.TestItem, vscode.TestItem[]> {
  const wanted = new Map<vscode.TestItem, vscode.TestItem[]>();
  const all = include ?? [...items].map(([, item]) => item);
  for (const item of all) {
    const tests = [...item.children].map(([, child]) => child);
    const some = tests.some((test) => exclude.includes(test));
    if (exclude.includes(item)) continue;
    const file = item.parent ?? item;
    const chosen = some ? tests.filter((test) => !exclude.includes(test)) : [item];
    wanted.set(file, [...(wanted.get(file) ?? []), ...chosen]);
  }
  return wanted;
}
