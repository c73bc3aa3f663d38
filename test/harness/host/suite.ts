import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { inFirstRing, LONG_TAG } from '../../rings.ts';

/**
 * VS Code calls this in the extension host. It runs the bundled tests beside it and writes their totals to the file
 * that `PARLEY_HOST_TOTALS` names. `PARLEY_HOST_GREP` picks tests by a part of their title, those of the second ring
 * are left where only the first runs. Its lines reach the terminal through the console.
 * @throws Error when a test failed or none ran: the host ends with a code that says so
 */
export async function run(): Promise<void> {
  // A slow machine that does other things too; a test that waits for something that never comes still ends.
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: false, reporter: Lines, forbidOnly: true });
  const only = process.env.PARLEY_HOST_GREP;
  if (only !== undefined) mocha.grep(only);
  else if (inFirstRing()) mocha.grep(`@${LONG_TAG}`).invert();
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.test.cjs'));
  for (const file of files.toSorted()) mocha.addFile(join(__dirname, file));
  const passed: string[] = [];
  const skipped: string[] = [];
  const failures: { title: string; message: string }[] = [];
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on('pass', (test) => passed.push(test.fullTitle()))
      .on('pending', (test) => skipped.push(test.fullTitle()))
      .on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: textOf(error) }));
  });
  const totals = { passed: passed.length, failed: failures.length, skipped: skipped.length, failures };
  const file = process.env.PARLEY_HOST_TOTALS;
  if (file === undefined) throw new Error('PARLEY_HOST_TOTALS does not say where the totals go.');
  writeFileSync(file, `${JSON.stringify(totals, null, 2)}\n`);
  if (totals.failed > 0) throw new Error(`${totals.failed} of the host tests failed.`);
  if (totals.passed === 0) throw new Error('No host test ran.');
}

/** One line a test. */
class Lines extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pass', (test) => console.log(`  ✓ ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on('pending', (test) => console.log(`  - ${test.fullTitle()}`));
    runner.on('fail', (test, error) => console.log(`  ✗ ${test.fullTitle()}\n${textOf(error)}`));
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
