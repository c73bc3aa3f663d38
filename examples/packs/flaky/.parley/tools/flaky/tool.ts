import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, until } from 'effection';
import { createMcpTool, type ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { quarantineWith, type Suspect, suspectsOf } from './flaky.ts';
import { ownerOf, runTests, type TestRun } from './runs.ts';

const suspect = z.object({
  test: z.string(),
  file: z.string(),
  failed: z.int(),
  runs: z.int(),
  whys: z.array(z.string()).readonly(),
  owner: z.string(),
});

const questions = {
  quarantine: {
    response: z
      .object({
        tests: z.array(z.string()).meta({ title: 'Quarantine', description: 'One test on each line' }),
      })
      .meta({ action: 'Quarantine', decline: false }),
    context: z.object({ flaky: z.array(suspect), broken: z.array(z.string()) }),
  },
};
type FlakyContext = ToolContext<typeof questions>;

/** The file that lists quarantined tests, in the folder: for the set-up of a runner to leave them out. */
const LIST = '.flaky-tests';

/** Runs all tests several times, and lets the person quarantine those that fail in some runs, with who changed them last. */
export const findFlakyTests = createMcpTool('find_flaky_tests')
  .description(
    'Finds flaky tests: runs all tests several times (Vitest or Jest), shows the user which fail only sometimes, how often, why, and whose they are, ' +
      `and adds those that the user picks to ${LIST}. It takes as long as that many runs. Returns the flaky and the broken tests.`,
  )
  .parameters(
    z.object({
      runs: z.int().min(2).max(50).default(5).meta({ title: 'Runs' }),
      runner: z
        .enum(['vitest', 'jest'])
        .default('vitest')
        .meta({ title: 'Runner', enumNames: ['Vitest', 'Jest'] }),
      folder: z.string().optional().meta({ title: 'Folder', pick: 'folder' }),
    }),
  )
  .output(
    z.object({
      summary: z.string(),
      flaky: z.array(z.object({ test: z.string(), failed: z.int(), runs: z.int() })),
      broken: z.array(z.string()),
      quarantined: z.array(z.string()),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  .title('Find Flaky Tests')
  .icon('beaker')
  .summary('Runs all tests several times, and quarantines those that you pick of what fails only sometimes.')
  .durable()
  .elicits(questions)
  .execute(function* ({ runs: count, runner, folder: given }, ctx) {
    const folder = given ?? (yield* folderOf(ctx));
    const runs: TestRun[] = [];
    for (let run = 1; run <= count; run++) {
      yield* ctx.notify(`Run ${run} of ${count}`, { value: run - 1, total: count });
      runs.push(yield* ctx.step(`run ${run}`, ({ id }) => runTests(folder, runner, id), { reads: true }));
    }
    const { flaky, broken } = suspectsOf(runs);
    const found = {
      flaky: flaky.map(({ test, failed, runs: of }) => ({ test, failed, runs: of })),
      broken: broken.map(({ test }) => test),
    };
    const summary = `${flaky.length} of ${runs[0]?.tests} tests are flaky, ${broken.length} broken.`;
    if (flaky.length === 0) return { summary, ...found, quarantined: [] };

    const picked = yield* pick(flaky, found.broken, folder, ctx);
    if (picked.length === 0) return { summary, ...found, quarantined: [] };
    const day = yield* ctx.step('today', () => new Date().toISOString().slice(0, 10), { reads: true });
    const before = yield* ctx.step(
      'read the list',
      () => readFile(join(folder, LIST), 'utf8').catch(() => ''),
      {
        reads: true,
      },
    );
    yield* ctx.step('quarantine', () => writeFile(join(folder, LIST), quarantineWith(before, picked, day)), {
      undo: () => until(writeFile(join(folder, LIST), before)),
    });
    return {
      summary: `${summary} Put into ${LIST}: ${picked.length}.`,
      ...found,
      quarantined: picked.map(({ test }) => test),
    };
  });

/** Which of them the person wants in quarantine, with who changed each last. */
function* pick(
  flaky: readonly Suspect[],
  broken: string[],
  folder: string,
  ctx: FlakyContext,
): Operation<{ test: string; owner: string }[]> {
  const owners = new Map<string, string>();
  for (const { file } of flaky) {
    if (owners.has(file)) continue;
    owners.set(file, yield* ctx.step(`owner of ${file}`, () => ownerOf(folder, file), { reads: true }));
  }
  const rows = flaky.map((one) => ({ ...one, owner: owners.get(one.file) ?? '' }));
  const answer = yield* ctx.elicit('quarantine', {
    message: `${flaky.length === 1 ? 'One test fails' : `${flaky.length} tests fail`} only sometimes. What goes into quarantine?`,
    values: { tests: rows.map(({ test }) => test) },
    flaky: rows,
    broken,
  });
  if (answer.action !== 'accept') return [];
  const wanted = new Set(answer.content.tests.map((test) => test.trim()));
  return rows.filter(({ test }) => wanted.has(test));
}

/** The folder that the caller works in. */
function* folderOf(ctx: FlakyContext): Operation<string> {
  const [root] = ctx.capabilities.roots ? yield* ctx.roots() : [];
  if (root === undefined) throw new Error('No folder is open: say in "folder" where the tests are.');
  return fileURLToPath(root.uri);
}
