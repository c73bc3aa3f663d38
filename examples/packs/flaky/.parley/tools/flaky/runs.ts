import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { action, type Operation, until } from 'effection';
import * as z from 'zod';

/** One run of all tests: those that failed, with the first line of why, and how many there are. */
export interface TestRun {
  readonly failed: readonly { readonly test: string; readonly file: string; readonly why: string }[];
  readonly tests: number;
}

// Vitest and Jest write the same.
const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** More of why a test failed is not kept, characters. */
const LONGEST_WHY = 300;

/** Runs all tests once, and reads the report. A test that fails is no failure of the run; one without a report is. */
export function* runTests(folder: string, runner: 'vitest' | 'jest', id: string): Operation<TestRun> {
  const file = join(folder, `.flaky-${id.replace(/\W/g, '')}.json`);
  const args =
    runner === 'vitest'
      ? ['vitest', 'run', '--reporter=json', `--outputFile=${file}`]
      : ['jest', '--json', `--outputFile=${file}`];
  try {
    const said = yield* npx(folder, args);
    const text = yield* until(readFile(file, 'utf8').catch(() => ''));
    if (text === '') throw new Error(`${runner} wrote no report. It says:\n${said.slice(-2000)}`);
    return read(folder, text);
  } finally {
    // It is left where the call is stopped meanwhile: nobody waits in a cleanup.
    void rm(file, { force: true });
  }
}

function read(folder: string, text: string): TestRun {
  const failed: { test: string; file: string; why: string }[] = [];
  let tests = 0;
  for (const { name, message = '', assertionResults } of report.parse(JSON.parse(text)).testResults) {
    const file = relative(folder, name).replaceAll('\\', '/');
    if (assertionResults.length === 0 && message !== '')
      failed.push({ test: file, file, why: firstLine(message) });
    for (const { fullName, status, failureMessages } of assertionResults) {
      const test = `${file} > ${fullName.trim()}`;
      if (status === 'passed' || status === 'failed') tests += 1;
      if (status === 'failed') failed.push({ test, file, why: firstLine(failureMessages?.[0] ?? '') });
    }
  }
  return { failed, tests };
}

function firstLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
  return (text.replace(/\x1b\[[\d;]*m/g, '').split('\n')[0] ?? '').slice(0, LONGEST_WHY);
}

/** What a runner prints; it ends with 1 where a test fails. */
function npx(folder: string, args: readonly string[]): Operation<string> {
  return action((resolve) => {
    const child = execFile(
      'npx',
      ['--no-install', ...args],
      {
        cwd: folder,
        maxBuffer: 64e6,
        shell: process.platform === 'win32',
        env: { ...process.env, CI: 'true' },
      },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
    return () => child.kill();
  });
}

/** Who changed a file last. */
export function ownerOf(folder: string, file: string): Operation<string> {
  return action((resolve) => {
    const child = execFile('git', ['log', '-1', '--format=%an', '--', file], { cwd: folder }, (_, stdout) =>
      resolve(stdout.trim()),
    );
    return () => child.kill();
  });
}
