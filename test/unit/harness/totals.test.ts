import { rm, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetTotals, readTotals, totalsFile, writeTotals } from '#test/harness/totals.ts';

const suite = 'totals-test';

describe('the totals of a suite', () => {
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(totalsFile(suite), { force: true });
  });

  it('are read back as written', async () => {
    const totals = { passed: 2, failed: 1, skipped: 1, failures: [{ title: 'a', message: 'b' }] };
    await writeTotals(suite, totals);
    expect(await readTotals(suite)).toEqual(totals);
  });

  it('are a failure when the suite left none', async () => {
    await forgetTotals(suite);
    expect(await readTotals(suite)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('are a failure when no test ran', async () => {
    await writeTotals(suite, { passed: 0, failed: 0, skipped: 3, failures: [] });
    expect(await readTotals(suite)).toMatchObject({ passed: 0, failed: 1 });
    expect(await readTotals(suite, true)).toMatchObject({ passed: 0, failed: 0 });
  });

  it('count a file that Vitest could not load', async () => {
    await vitestLeft([
      { name: 'broken.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ]);
    expect(await readTotals(suite)).toMatchObject({
      passed: 4,
      failed: 1,
      failures: [{ title: 'broken.test.ts', message: 'SyntaxError' }],
    });
  });

  it('count a test of the second ring as skipped only where that ring runs', async () => {
    const left = { fullName: 'is slow', status: 'skipped', failureMessages: [], tags: ['long'] };
    const skipped = { ...left, fullName: 'is skipped', tags: [] };
    await vitestLeft([{ name: 'a.test.ts', status: 'passed', assertionResults: [left, skipped] }], 2);
    vi.stubEnv('PARLEY_FIRST_RING', '1');
    expect(await readTotals(suite)).toMatchObject({ skipped: 1 });
    vi.stubEnv('PARLEY_FIRST_RING', '');
    expect(await readTotals(suite)).toMatchObject({ skipped: 2 });
  });

  it('count a run that Vitest calls failed without a failed test', async () => {
    await vitestLeft([]);
    expect(await readTotals(suite)).toMatchObject({ passed: 4, failed: 1 });
  });
});

/** Writes what Vitest's JSON reporter writes of a run with four passed tests and these files. */
async function vitestLeft(testResults: readonly object[], numPendingTests = 0): Promise<void> {
  const counts = { numPassedTests: 4, numFailedTests: 0, numPendingTests, numTodoTests: 0 };
  await forgetTotals(suite);
  await writeFile(totalsFile(suite), JSON.stringify({ ...counts, success: false, testResults }));
}
