// npm test: every stage in turn, whatever became of the one before. `npm test -- lint test:unit` runs only those.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { resultsRoot } from './paths.ts';
import { runStage, type StageResult, stages, sum } from './stages.ts';

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
  results.push(await runStage(stage));
}

const [passed, failed, skipped] = [sum(results, 'passed'), sum(results, 'failed'), sum(results, 'skipped')];
await writeFile(summary, `${JSON.stringify({ passed, failed, skipped, stages: results }, null, 2)}\n`);

for (const { script, failures } of results) {
  for (const { title, message } of failures) console.log(`\n✗ ${script}: ${title}\n${indented(message)}`);
}
console.log('\nstage           passed   failed  skipped  seconds');
for (const row of results) console.log(line(row.script, row.passed, row.failed, row.skipped, row.seconds));
console.log(line('all', passed, failed, skipped, sumSeconds()));
process.exit(failed === 0 && passed > 0 ? 0 : 1);

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
