// npm test: all stages, whatever became of the others. `npm test -- lint test:unit` runs only those.
// npm run test:long: the same with `--long`: what is tagged runs, too, and PARLEY_LONG=1 has suites take their longer form.
// `npm test -- --changed`: what the changes since the branch began can reach.
// `npm test -- --seed 57`: the test files in the order that follows from this number.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reached, readChange } from './changed.ts';
import { runLanes } from './lanes.ts';
import { builtCli, resultsRoot } from './paths.ts';
import { build, lanesOf, runScript, runStage, type Stage, type StageResult, sum } from './stages.ts';
import { crashed } from './totals.ts';
import { newest } from './versions.ts';

const begun = Date.now();
const { values: given, positionals: asked } = parseArgs({
  options: { changed: { type: 'boolean' }, long: { type: 'boolean' }, seed: { type: 'string' } },
  allowPositionals: true,
});
process.env[given.long ? 'PARLEY_LONG' : 'PARLEY_FIRST_RING'] = '1';
if (given.seed !== undefined) {
  if (!/^[1-9]\d*$/.test(given.seed))
    throw new Error(`A seed is a whole number above 0, not "${given.seed}".`);
  process.env.PARLEY_SEED = given.seed;
}
const lanes = lanesOf({ long: given.long === true });
const known = lanes.flat().map(({ script }) => script);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`No stage ${unknown.join(', ')}; there is ${known.join(', ')}.`);
const change = given.changed ? readChange() : undefined;
const wanted = lanes.map((lane) =>
  lane
    .filter(({ script }) => asked.length === 0 || asked.includes(script))
    .flatMap((stage) => {
      const part = change ? reached(stage, change) : stage;
      if (part === undefined) console.log(`━━ ${stage.script} is left out: no change reaches it`);
      return part ?? [];
    }),
);

const summary = join(resultsRoot, 'summary.json');
mkdirSync(resultsRoot, { recursive: true });
rmSync(summary, { force: true });

// Should this run be cut short, then what is done counts, and the rest as failed.
const results = new Map<Stage, StageResult>(wanted.flat().map((stage) => [stage, unfinished(stage)]));
summarise();
const windows = wanted.flat().some(({ script }) => /^test:(host|e2e)$/.test(script));
await Promise.all([
  // Where it fails, so do the stages that try the same again; they say so.
  windows ? runScript('test:install', given.long ? [] : [newest.vscode]) : undefined,
  runLanes(wanted, async (stage) => {
    console.log(`━━ ${stage.script} begins`);
    const result = await runStage(stage);
    results.set(stage, result);
    summarise();
    // What ships is what the stages after it start, some hundred times: from source that takes twice as long.
    if (stage === build && result.failed === 0) process.env.PARLEY_CLI ??= builtCli;
    console.log(`━━ ${stage.script}: ${result.passed} passed, ${result.failed} failed, ${result.seconds} s`);
  }),
]);
const { passed, failed, skipped } = summarise();

for (const { script, failures } of results.values()) {
  for (const { title, message } of failures) console.log(`\n✗ ${script}: ${title}\n${indented(message)}`);
}
console.log('\nstage           passed   failed  skipped  seconds');
for (const row of results.values()) {
  console.log(line(row.script, row.passed, row.failed, row.skipped, row.seconds));
}
console.log(line('all', passed, failed, skipped, secondsSince(begun)));
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Writes what there is so far, and adds it up. */
function summarise(): Record<'passed' | 'failed' | 'skipped', number> {
  const all = [...results.values()];
  const counts = { passed: sum(all, 'passed'), failed: sum(all, 'failed'), skipped: sum(all, 'skipped') };
  writeFileSync(summary, `${JSON.stringify({ ...counts, stages: all }, null, 2)}\n`);
  return counts;
}

function unfinished({ script }: Stage): StageResult {
  return { ...crashed(script, 'It was cut short.'), script, seconds: 0 };
}

function line(name: string, ...numbers: readonly number[]): string {
  return name.padEnd(13) + numbers.map((number) => String(number).padStart(9)).join('');
}

function indented(text: string): string {
  const rows = text.split('\n').slice(0, 12);
  return rows.map((row) => `    ${row}`).join('\n');
}

function secondsSince(start: number): number {
  return Math.round((Date.now() - start) / 1000);
}
