import type { Operation } from 'effection';
import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { doesSomething, type Issue, lineOf, type Wish, wishOf } from './plan.ts';

const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  author: z.string(),
  day: z.string(),
  labels: z.array(z.string()).readonly(),
});
/** What the model says of one of them. */
export const proposal = z.object({
  number: z.int(),
  labels: z.array(z.string()).readonly(),
  close: z.boolean(),
  reply: z.string().describe('To post, in Markdown; empty for none'),
  why: z.string().describe('For the maintainer, one short sentence'),
});
/** A proposal. */
export type Proposal = z.infer<typeof proposal>;

/** What the tool asks. */
export const questions = {
  plan: {
    response: z
      .object({
        rows: z.array(z.string()).max(500).meta({
          title: 'What to send',
          description: 'One on each line, such as: #12 +bug close reply "Thanks!"',
        }),
      })
      .meta({ action: 'Send', decline: false }),
    context: z.object({
      repository: z.string(),
      labels: z.array(z.string()),
      issues: z.array(issue),
      proposals: z.array(proposal),
    }),
  },
  sent: z
    .object({
      next: z
        .enum(['keep', 'retry', 'undo'])
        .default('keep')
        .meta({
          title: 'What now',
          enumNames: ['Keep what was sent', 'Try again what failed', 'Undo all of it'],
        }),
    })
    .meta({ action: 'Finish', decline: false }),
};

/** Through what the tool talks. */
export type TriageContext = ToolContext<typeof questions>;

/** How often a plan is asked for that cannot be sent. */
const TRIES = 10;

/** Asks what to send; `undefined` when the person does not want to send anything. */
export function* askPlan(
  repository: string,
  issues: readonly Issue[],
  labels: readonly string[],
  proposals: readonly Proposal[],
  ctx: TriageContext,
): Operation<Wish[] | undefined> {
  const about = `${issues.length} are open in ${repository}. Nothing is sent until you say so.`;
  const titles = new Map(issues.map(({ number, title }) => [number, title]));
  let rows = proposals.filter(doesSomething).map((one) => lineOf(one, titles.get(one.number)));
  let message = about;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('plan', {
      message,
      values: { rows },
      repository,
      labels: [...labels],
      issues: [...issues],
      proposals: proposalsOf(rows, proposals),
    });
    if (answer.action !== 'accept') return undefined;
    rows = answer.content.rows.filter((row) => row.trim() !== '');
    const read = readRows(rows, titles, labels);
    if (typeof read !== 'string') return read;
    message = `${read} ${about}`;
  }
  return undefined;
}

/** What the rows say, or what is wrong with the first that is. */
function readRows(
  rows: readonly string[],
  titles: ReadonlyMap<number, string>,
  labels: readonly string[],
): Wish[] | string {
  const wishes = new Map<number, Wish>();
  for (const row of rows) {
    const wish = wishOf(row);
    if (typeof wish === 'string') return wish;
    if (!titles.has(wish.number)) return `#${wish.number} is not among these.`;
    if (wishes.has(wish.number)) return `#${wish.number} is there twice.`;
    const unknown = wish.labels.find((label) => !labels.includes(label));
    if (unknown !== undefined) return `#${wish.number}: there is no label “${unknown}”.`;
    wishes.set(wish.number, wish);
  }
  return [...wishes.values()].filter(doesSomething);
}

/** The proposals as they were edited, for who is asked again. */
function proposalsOf(rows: readonly string[], proposals: readonly Proposal[]): Proposal[] {
  const whys = new Map(proposals.map(({ number, why }) => [number, why]));
  return rows.flatMap((row) => {
    const wish = wishOf(row);
    return typeof wish === 'string' ? [] : [{ ...wish, why: whys.get(wish.number) ?? '' }];
  });
}
