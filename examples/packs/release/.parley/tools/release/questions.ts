import type { Operation } from 'effection';
import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { type Facts, factsSchema } from './look.ts';
import { bumpOf, raised, wrongWith } from './version.ts';

/** What the tool asks. */
export const questions = {
  plan: {
    response: z
      .object({
        version: z.string().max(60).meta({ title: 'Version' }),
        notes: z.string().min(1).max(20_000).meta({ title: 'Release notes', multiline: true }),
      })
      .meta({ action: 'Commit and Tag', decline: false }),
    context: factsSchema.extend({ suggested: z.string(), notes: z.string() }),
  },
  publish: {
    response: z
      .object({ push: z.boolean().default(true).meta({ title: 'Push the commit and the tag' }) })
      .meta({ action: 'Publish', decline: false }),
    context: z.object({
      tag: z.string(),
      remote: z.string().optional(),
      files: z.array(z.object({ path: z.string(), size: z.int() })),
    }),
  },
};

/** Through what the tool talks. */
export type ReleaseContext = ToolContext<typeof questions>;

/** What is released. */
export interface Plan {
  readonly version: string;
  readonly notes: string;
}

/** How often a version is asked for that cannot be. */
const TRIES = 5;

/** Asks for the version and the notes; `undefined` when the person does not want a release. */
export function* askPlan(facts: Facts, draft: string, ctx: ReleaseContext): Operation<Plan | undefined> {
  const suggested = raised(facts.version, bumpOf(facts.commits.map(({ subject }) => subject)));
  const about = `Release ${facts.name} from ${facts.branch}: ${facts.commits.length} ${facts.commits.length === 1 ? 'commit' : 'commits'} since ${facts.lastTag ?? 'the beginning'}.`;
  let values = { version: suggested, notes: draft };
  let message = about;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('plan', {
      message,
      values,
      ...facts,
      suggested: values.version,
      notes: values.notes,
    });
    if (answer.action !== 'accept') return undefined;
    const plan = {
      version: answer.content.version.trim().replace(/^v/, ''),
      notes: answer.content.notes.trim(),
    };
    const wrong = wrongWith(plan.version, facts.version);
    if (wrong === undefined) return plan;
    message = `${wrong} ${about}`;
    values = { version: suggested, notes: plan.notes };
  }
  return undefined;
}
