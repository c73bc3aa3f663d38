import { fileURLToPath } from 'node:url';
import type { Operation } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { committed, discarded, installed, redIn, reinstalled, type Upgrade, uncommitted } from './effects.ts';
import { lookAt } from './look.ts';
import { askPlan, type Outcome, questions, type UpgradeContext } from './questions.ts';

const upgraded = z.object({ name: z.string(), from: z.string(), to: z.string() });

/**
 * Upgrades the dependencies of an npm package: what is behind with its risks and changes, chosen by the person, then one after the
 * other: installed, tested, committed where the tests are green, and rolled back where they are red.
 */
export const upgradeDependencies = createMcpTool('upgrade_dependencies')
  .description(
    'Upgrades npm dependencies in a git repository, together with the user: shows what is behind with risks and changelogs, lets the user choose, then ' +
      'installs and tests each alone, commits it where the tests are green, and rolls it back where they are red. It takes as long as that many installs and test runs. ' +
      'Returns {"status": "upgraded" | "undone" | "not_upgraded" | "up_to_date", …}, with what the tests say of those that are red.',
  )
  .parameters(
    z.object({
      script: z
        .string()
        .regex(/^\w[\w:.-]*$/)
        .default('test')
        .meta({ title: 'Tests', description: 'A script of package.json' }),
      folder: z.string().optional().meta({ title: 'Folder', pick: 'folder' }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['upgraded', 'undone', 'not_upgraded', 'up_to_date']),
      summary: z.string(),
      upgraded: z.array(upgraded).optional(),
      red: z.array(upgraded.extend({ red: z.string().optional() })).optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true })
  .title('Upgrade Dependencies')
  .icon('package')
  .summary('Shows what is behind and its risks; tests what you choose; commits what is green.')
  .requires({ elicitation: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ script, folder: given }, ctx) {
    const folder = given ?? (yield* folderOf(ctx));
    yield* ctx.notify('Looking at what is behind');
    const { head, outdated } = yield* ctx.step('look', () => lookAt(folder), { reads: true });
    if (outdated.length === 0) return { status: 'up_to_date' as const, summary: 'No dependency is behind.' };
    const plan = yield* askPlan(outdated, ctx);
    if (!plan?.length)
      return { status: 'not_upgraded' as const, summary: 'Nothing was chosen. Nothing was changed.' };

    yield* ctx.notify('Running the tests as they are');
    const before = yield* ctx.step('test before', () => redIn(folder, script), { reads: true });
    if (before !== null) throw new Error(`The tests are red before any upgrade:\n${before}`);
    // Undone last, when the files are what they were.
    yield* ctx.step('begin', () => null, { undo: () => reinstalled(folder) });
    const outcomes = yield* upgradeAll(folder, script, plan, head, ctx);
    const red = outcomes.filter((one) => one.red !== undefined);
    const green = outcomes.filter((one) => one.red === undefined);

    const answer = yield* ctx.elicit('keep', { message: told(green, red), outcomes });
    if (answer.action === 'accept' && answer.content.keep === 'undo') {
      yield* ctx.rollback();
      return { status: 'undone' as const, summary: 'All dependencies are as they were.' };
    }
    return {
      status: 'upgraded' as const,
      summary: `${green.length} of ${plan.length} upgrades are committed.`,
      upgraded: green,
      red,
    };
  });

/** One after the other: each is installed on those before it that were green. */
function* upgradeAll(
  folder: string,
  script: string,
  plan: readonly Upgrade[],
  head: string,
  ctx: UpgradeContext,
): Operation<Outcome[]> {
  const outcomes: Outcome[] = [];
  let before = head;
  for (const [at, upgrade] of plan.entries()) {
    const { name, to } = upgrade;
    const progress = { value: at, total: plan.length };
    yield* ctx.notify(`Installing ${name} ${to}`, progress);
    const refused = yield* ctx.step(`install ${name}`, () => installed(folder, upgrade), {
      undo: () => discarded(folder),
    });
    if (refused === null) yield* ctx.notify(`Testing ${name} ${to}`, progress);
    const red = refused ?? (yield* ctx.step(`test ${name}`, () => redIn(folder, script), { reads: true }));
    if (red === null) {
      const base = before;
      const commit = yield* ctx.step(`commit ${name}`, () => committed(folder, upgrade, base), {
        undo: (made) => uncommitted(folder, made),
      });
      before = commit.made;
      outcomes.push(upgrade);
    } else {
      // It leaves nothing that an undo would have to know of.
      yield* ctx.step(`roll ${name} back`, () => reinstalled(folder), { *undo() {} });
      outcomes.push({ ...upgrade, red });
    }
  }
  return outcomes;
}

function told(green: readonly Outcome[], red: readonly Outcome[]): string {
  const names = (some: readonly Outcome[]) => some.map(({ name, to }) => `${name} ${to}`).join(', ');
  return [
    green.length > 0 ? `Committed: ${names(green)}.` : 'Nothing is committed.',
    ...(red.length > 0 ? [`Red, and rolled back: ${names(red)}.`] : []),
    'Keep it, or undo it?',
  ].join(' ');
}

/** The folder that the caller works in; there has to be one. */
function* folderOf(ctx: UpgradeContext): Operation<string> {
  const roots = ctx.capabilities.roots ? yield* ctx.roots() : [];
  const [root] = roots;
  if (root === undefined || roots.length > 1)
    throw new Error(`${roots.length} folders are open: say which package to upgrade in "folder".`);
  return fileURLToPath(root.uri);
}
