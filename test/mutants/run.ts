// npm run mutants: makes small mistakes in src, one at a time, and says which test notices each. `-- --seed 7 --count 60`.
// What was found is in test/mutants/found.json; a run that is cut short goes on there.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { repoRoot, resultsRoot } from '../harness/paths.ts';
import { type Failure, readTotals } from '../harness/totals.ts';
import { LONG_TAG } from '../rings.ts';
import { type Mutant, mutantsOf, pick } from './mutants-of.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '39' }, count: { type: 'string', default: '60' } },
});
const [seed, count] = [Number(values.seed), Number(values.count)];

const UNIT = 'test/vitest.config.ts';
const MCP = 'test/mcp/vitest.config.ts';

/** A test that takes longer has noticed that nothing ends. */
const TIME = 15 * 60_000;

interface Found extends Mutant {
  /** The ring that noticed it, and its first test that did; 0 and nothing where none did. */
  readonly ring: 0 | 1 | 2;
  readonly by?: string;
}

const file = join(import.meta.dirname, 'found.json');
const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

// Beside the work: a mutant that is left behind is in nobody's way.
const tree = join(resultsRoot, 'mutants');
git('worktree', 'prune');
rmSync(tree, { recursive: true, force: true });
git('worktree', 'add', '--force', '--detach', tree);
for (const name of ['node_modules', 'dist']) symlinkSync(join(repoRoot, name), join(tree, name));

const files = globSync('src/**/*.{ts,tsx}', { cwd: tree }).sort();
const all = files.flatMap((name) => mutantsOf(name, readFileSync(join(tree, name), 'utf8')));
const picked = pick(all, count, seed);
const same = (one: Mutant) => (other: Mutant) =>
  one.file === other.file && one.start === other.start && one.to === other.to;
const found: Found[] = (before.found ?? []).filter((one: Found) => picked.some(same(one)));
for (const mutant of picked) {
  if (found.some(same(mutant))) continue;
  const outcome = await noticed(mutant);
  // Not known: the next run tries it again.
  if (outcome === undefined) continue;
  const result = { ...mutant, ...outcome };
  found.push(result);
  writeFileSync(file, `${JSON.stringify({ seed, found }, null, 2)}\n`);
  console.log(
    `${result.ring === 0 ? '✗ nobody' : `✓ ring ${result.ring}`} ${place(mutant)}  ${result.by ?? ''}`,
  );
}
git('worktree', 'remove', '--force', tree);
for (const ring of [1, 2, 0]) {
  console.log(
    `${ring === 0 ? 'nobody' : `ring ${ring}`}: ${found.filter((one) => one.ring === ring).length}`,
  );
}

/** Which test notices a mutant: of those beside its file, of those that import it, of those that left the first ring. */
async function noticed(mutant: Mutant): Promise<Pick<Found, 'ring' | 'by'> | undefined> {
  const { ring, failure } = await looked(mutant);
  if (failure?.file === undefined) return { ring, ...(failure && { by: failure.title }) };
  // What fails without the mistake, too, has not noticed it: a machine that does much else is too slow for some.
  const again =
    (await failing(failure.config, ['run', relative(tree, failure.file)])) ??
    // Nor has what the order of the files makes fail.
    (await failing(failure.config, failure.args));
  if (again?.title === failure.title)
    return void console.log(`? ${place(mutant)}: this fails without it, too: ${again.title}`);
  return { ring, by: failure.title };
}

type Noticed = Failure & { readonly config: string; readonly args: readonly string[] };

async function looked(mutant: Mutant): Promise<{ readonly ring: 0 | 1 | 2; readonly failure?: Noticed }> {
  const path = join(tree, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, mutant.start) + mutant.to + text.slice(mutant.end));
  try {
    const beside = mutant.file.replace(/^src/, 'test/unit').replace(/\/[^/]+$/, '/');
    const related = ['related', mutant.file, '--run'];
    // A program is no import of the tests that start it.
    const started = mutant.file.startsWith('src/cli/') ? ['run'] : related;
    const [first, second] = [`--tags-filter=!${LONG_TAG}`, `--tags-filter=${LONG_TAG}`];
    const failure =
      (await failing(UNIT, ['run', beside, first])) ??
      (await failing(UNIT, [...related, first])) ??
      (await failing(MCP, [...started, first]));
    if (failure !== undefined) return { ring: 1, failure };
    const late = (await failing(UNIT, [...related, second])) ?? (await failing(MCP, [...started, second]));
    return late === undefined ? { ring: 0 } : { ring: 2, failure: late };
  } finally {
    writeFileSync(path, text);
  }
}

/** The first test that fails, if one does. */
async function failing(config: string, args: readonly string[]): Promise<Noticed | undefined> {
  const report = join(resultsRoot, 'mutant.json');
  rmSync(report, { force: true });
  const more = ['--bail=1', '--passWithNoTests', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(repoRoot, 'node_modules/vitest/vitest.mjs');
  const ended = spawnSync(process.execPath, [vitest, ...args, '--config', config, ...more], {
    cwd: tree,
    env: { ...process.env, PARLEY_FIRST_RING: args.includes(`--tags-filter=${LONG_TAG}`) ? '' : '1' },
    stdio: 'ignore',
    timeout: TIME,
  });
  if (ended.status === 0) return undefined;
  if (ended.error !== undefined) return { title: 'nothing ended', message: '', config, args };
  const { failures } = await readTotals('mutant', true);
  // Files that did not come to their turn have failed, too, and say nothing.
  const first = failures.find(({ message }) => message !== '');
  return { ...(first ?? { title: 'nothing could be run', message: '' }), config, args };
}

function place({ file, line, from, to }: Mutant): string {
  return `${file}:${line} ${from.split('\n', 1)[0]} → ${to.split('\n', 1)[0]}`;
}

function git(...args: readonly string[]): void {
  spawnSync('git', args, { cwd: repoRoot, stdio: 'ignore' });
}
