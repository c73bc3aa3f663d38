// npm test: every stage in turn, whatever became of the one before. `npm test -- lint test:unit` runs only those.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { resultsRoot } from './paths.ts';
import { runStage, type StageResult, stages, sum } from './stages.ts';
import { crashed } from './totals.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some(({ script }) => script === name));
if (unknown.length > 0) {
  throw new Error(
    `No stage ${unknown.join(', ')}; there is ${stages.map(({ script }) => script).join(', ')}.`,
  );
}
const summary = join(resultsRoot, 'summary.json');
await mkdir(resultsRoot, { recursive: true });
await rm(summary, { force: true });

const results: StageResult[] = [];
for (const stage of stages) {
  if (!(stage.script in manifest.scripts)) continue;
  if (wanted.length > 0 && !wanted.includes(stage.script)) continue;
  console.log(`\n━━ ${stage.script} ━━`);
  // Should this run be cut short, then what is done counts, and this stage as failed.
  await summarise([...results, unfinished(stage.script)]);
  results.push(await runStage(stage));
}
const { passed, failed, skipped } = await summarise(results);

for (const { script, failures } of results) {
  for (const { title, message } of failures) console.log(`\n✗ ${script}: ${title}\n${indented(message)}`);
}
console.log('\nstage           passed   failed  skipped  seconds');
for (const row of results) console.log(line(row.script, row.passed, row.failed, row.skipped, row.seconds));
console.log(line('all', passed, failed, skipped, sumSeconds()));
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Writes what there is so far, and adds it up. */
async function summarise(
  all: readonly StageResult[],
): Promise<Record<'passed' | 'failed' | 'skipped', number>> {
  const counts = { passed: sum(all, 'passed'), failed: sum(all, 'failed'), skipped: sum(all, 'skipped') };
  await writeFile(summary, `${JSON.stringify({ ...counts, stages: all }, null, 2)}\n`);
  return counts;
}

function unfinished(script: string): StageResult {
  return { ...crashed(script, 'It was cut short.'), script, seconds: 0 };
}

function line(name: string, ...numbers: readonly number[]): string {
  return name.padEnd(13) + numbers.map((number) => String(number).padStart(9)).join('');
}

function indented(text: string): string {
  const rows = text.split('\n').slice(0, 12);
  return rows.map((row) => `    ${row}`).join('\n');
}

function sumSeconds(): number {
  return results.reduce((all, { seconds }) => all + seconds, 0);
}
