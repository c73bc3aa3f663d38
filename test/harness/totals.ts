import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFirstRing, LONG_TAG } from '../rings.ts';
import { resultsRoot } from './paths.ts';

/** What a suite did: written as JSON to `test-results/<suite>.json`. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** One failed test. */
export interface Failure {
  readonly title: string;
  /** The file that it is in, where it is known. */
  readonly file?: string;
  readonly message: string;
}

/** The file with a suite's totals. */
export function totalsFile(suite: string): string {
  return join(resultsRoot, `${suite}.json`);
}

/** Takes away what an earlier run left, so that it cannot be mistaken for this one's. */
export async function forgetTotals(suite: string): Promise<void> {
  await mkdir(resultsRoot, { recursive: true });
  await rm(totalsFile(suite), { force: true });
}

/** Totals of a suite that did not come to its end, or never began. */
export function crashed(title: string, message: string): Totals {
  return { passed: 0, failed: 1, skipped: 0, failures: [{ title, message }] };
}

export async function writeTotals(suite: string, totals: Totals): Promise<void> {
  await mkdir(resultsRoot, { recursive: true });
  await writeFile(totalsFile(suite), `${JSON.stringify(totals, null, 2)}\n`);
}

/**
 * The totals a suite has left: `{ passed, failed, skipped?, failures? }`, or what Vitest's JSON reporter writes.
 * A suite that left none, or ran no test at all though it should, has failed.
 */
export async function readTotals(suite: string, mayBeEmpty = false): Promise<Totals> {
  let text: string;
  try {
    text = await readFile(totalsFile(suite), 'utf8');
  } catch {
    return crashed(suite, 'The suite left no totals: it ended before its end.');
  }
  const read: unknown = JSON.parse(text);
  const totals = isVitest(read) ? fromVitest(read) : isCounts(read) ? fromCounts(read) : undefined;
  if (totals === undefined) return crashed(suite, 'The totals this suite left cannot be read.');
  if (mayBeEmpty || totals.passed + totals.failed > 0) return totals;
  return crashed(suite, 'The suite ran no test.');
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  success: boolean;
  testResults: readonly {
    name: string;
    status: string;
    message?: string;
    assertionResults: readonly {
      fullName: string;
      status: string;
      failureMessages: readonly string[] | null;
      tags?: readonly string[];
    }[];
  }[];
}

function fromVitest(report: VitestReport): Totals {
  const failures = report.testResults.flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that fails to load fails no test; it counts all the same.
    if (tests.length === 0 && file.status === 'failed')
      return [{ title: file.name, message: file.message ?? '' }];
    return tests.map((test) => ({
      title: test.fullName,
      file: file.name,
      message: test.failureMessages?.join('\n') ?? '',
    }));
  });
  const failed = Math.max(failures.length, report.numFailedTests, report.success ? 0 : 1);
  // What the first ring leaves out is not skipped.
  const left = inFirstRing() ? report.testResults.flatMap(leftOut) : [];
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0) - left.length;
  return { passed: report.numPassedTests, failed, skipped, failures };
}

function leftOut({ assertionResults }: VitestReport['testResults'][number]): readonly unknown[] {
  return assertionResults.filter(({ status, tags }) => status === 'skipped' && tags?.includes(LONG_TAG));
}

function isVitest(value: unknown): value is VitestReport {
  return typeof value === 'object' && value !== null && 'numPassedTests' in value && 'testResults' in value;
}

interface Counts {
  passed: number;
  failed: number;
  skipped?: number;
  failures?: readonly Failure[];
}

function fromCounts({ passed, failed, skipped = 0, failures = [] }: Counts): Totals {
  return { passed, failed, skipped, failures };
}

function isCounts(value: unknown): value is Counts {
  return (
    typeof value === 'object' &&
    value !== null &&
    'passed' in value &&
    typeof value.passed === 'number' &&
    'failed' in value &&
    typeof value.failed === 'number'
  );
}
