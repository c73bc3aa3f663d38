import type { Operation } from 'effection';
import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { type Upgrade, upgradeOf } from './effects.ts';
import { type Outdated, outdated } from './look.ts';

const outcome = z.object({
  name: z.string(),
  from: z.string(),
  to: z.string(),
  /** What npm or the tests say against it; nothing where it is committed. */
  red: z.string().optional(),
});
/** What came of an upgrade. */
export type Outcome = z.infer<typeof outcome>;

/** What the tool asks. */
export const questions = {
  plan: {
    response: z
      .object({
        upgrades: z
          .array(z.string())
          .max(200)
          .meta({ title: 'Upgrades', description: 'One on each line, such as react@19.0.0' }),
      })
      .meta({ action: 'Upgrade', decline: false }),
    context: z.object({ outdated: z.array(outdated) }),
  },
  keep: {
    response: z
      .object({
        keep: z
          .enum(['keep', 'undo'])
          .default('keep')
          .meta({ title: 'What now', enumNames: ['Keep the commits', 'Undo all of them'] }),
      })
      .meta({ action: 'Finish', decline: false }),
    context: z.object({ outcomes: z.array(outcome) }),
  },
};

/** Through what the tool talks. */
export type UpgradeContext = ToolContext<typeof questions>;

/** How often a plan is asked for that cannot be. */
const TRIES = 10;

/** Asks which upgrades to try; `undefined` when the person does not want any. */
export function* askPlan(found: readonly Outdated[], ctx: UpgradeContext): Operation<Upgrade[] | undefined> {
  const about = `${found.length === 1 ? 'One dependency is' : `${found.length} dependencies are`} behind. Each that you choose is installed and tested alone, and committed where the tests are green.`;
  let upgrades = found.flatMap(({ name, targets }) => {
    const safe = targets.find((one) => !riskOf(one));
    return safe ? [`${name}@${safe.version}`] : [];
  });
  let message = about;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('plan', {
      message,
      values: { upgrades },
      form: formOf(found),
      outdated: [...found],
    });
    if (answer.action !== 'accept') return undefined;
    upgrades = answer.content.upgrades.filter((line) => line.trim() !== '');
    const read = upgrades.map((line) => upgradeOf(line, found));
    const wrong =
      read.find((one) => typeof one === 'string') ??
      (new Set(read.map((one) => Object(one).name)).size < read.length
        ? 'A dependency is there twice.'
        : undefined);
    if (wrong === undefined) return read.filter((one) => typeof one !== 'string');
    upgrades = read.flatMap((one) => (typeof one === 'string' ? [] : [`${one.name}@${one.to}`]));
    message = `${wrong} ${about}`;
  }
  return undefined;
}

/** What speaks against a version; nothing where only its tests can say. */
export function riskOf({ step, deprecated, needsNode }: Outdated['targets'][number]): string | undefined {
  const risks = [
    ...(step === 'major' ? ['may break'] : []),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
    ...(needsNode === undefined ? [] : [`needs Node ${needsNode}`]),
  ];
  return risks.length === 0 ? undefined : risks.join(', ');
}

/** What to tick, for clients that show forms. */
function formOf(found: readonly Outdated[]) {
  const choices = found.flatMap(({ name, current, targets }) =>
    targets.map(
      (one) =>
        [
          `${name}@${one.version}`,
          `${name} ${current} → ${one.version}, ${riskOf(one) ?? one.step}`,
        ] as const,
    ),
  );
  const choice = z
    .enum(choices.map(([value]) => value))
    .meta({ enumNames: choices.map(([, label]) => label) });
  return z
    .object({ upgrades: z.array(choice).meta({ title: 'Upgrades' }) })
    .meta({ action: 'Upgrade', decline: false });
}
