import type { Operation } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { effectsOf, issuesOn, labelsOn, type Said } from './github.ts';
import type { Issue, Wish } from './plan.ts';
import { propose } from './propose.ts';
import { askPlan, questions, type TriageContext } from './questions.ts';

/**
 * Triage of a GitHub repository: what is open in a table, labels, closing and replies proposed by a model, edited row by row, then
 * sent at once, with what failed named, and undone where it was not meant so.
 */
export const triage = createMcpTool('triage')
  .description(
    'Goes through the open issues or pull requests of a GitHub repository, together with the user: proposes labels, closing and a reply for each, ' +
      'lets the user edit and pick, sends all of that, and can undo it. Returns {"status": "sent" | "undone" | "not_sent", …}: do not try again after the last two.',
  )
  .parameters(
    z.object({
      repository: z
        .string()
        .regex(/^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/)
        .meta({ title: 'Repository', placeholder: 'owner/name' }),
      kind: z
        .enum(['issues', 'pulls', 'both'])
        .default('issues')
        .meta({ title: 'What', enumNames: ['Issues', 'Pull requests', 'Both'] }),
      limit: z.int().min(1).max(500).default(100).meta({ title: 'At most', description: 'The newest first' }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['sent', 'undone', 'not_sent']),
      summary: z.string(),
      sent: z.array(z.int()).optional(),
      failed: z.array(z.object({ number: z.int(), why: z.string() })).optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true })
  .title('Triage')
  .icon('issues')
  .summary('Proposes labels, closing and replies; you edit and untick; then it sends all of it.')
  .requires({ elicitation: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ repository, kind, limit }, ctx) {
    const issues = yield* openIn(repository, kind, limit, ctx);
    if (issues.length === 0) return notSent(`Nothing is open in ${repository}`);
    const labels = yield* labelsOf(repository, ctx);
    const proposals = yield* propose(issues, labels, ctx);
    const plan = yield* askPlan(repository, issues, labels, proposals, ctx);
    if (plan === undefined || plan.length === 0) return notSent('Nothing was chosen');

    // By it a reply that was posted before a crash is known again.
    const key = yield* ctx.step('key', ({ id }) => id, { reads: true });
    const of = new Map(issues.map((issue) => [issue.number, issue]));
    let failed = yield* send(plan, false);
    for (;;) {
      const sent = plan.length - failed.length;
      const answer = yield* ctx.elicit('sent', { message: told(sent, plan.length, failed) });
      const next = answer.action === 'accept' ? answer.content.next : 'keep';
      if (next === 'undo') {
        yield* ctx.rollback();
        return { status: 'undone' as const, summary: `All that was sent to ${repository} was taken back.` };
      }
      if (next === 'retry' && failed.length > 0) {
        const numbers = new Set(failed.map(({ number }) => number));
        failed = yield* send(
          plan.filter(({ number }) => numbers.has(number)),
          true,
        );
        continue;
      }
      const lost = new Set(failed.map(({ number }) => number));
      return {
        status: 'sent' as const,
        summary: `${sent} of ${plan.length} were sent to ${repository}.`,
        sent: plan.map(({ number }) => number).filter((number) => !lost.has(number)),
        failed,
      };
    }

    /** Sends all; gives those that GitHub refuses. One that fails holds up no other. */
    function* send(wishes: readonly Wish[], again: boolean): Operation<Failure[]> {
      const failures: Failure[] = [];
      for (const [at, wish] of wishes.entries()) {
        yield* ctx.notify(`Sent ${at} of ${wishes.length}`, { value: at, total: wishes.length });
        const issue = of.get(wish.number);
        for (const { name, run, undo } of issue ? effectsOf(repository, issue, wish, key) : []) {
          const said = yield* politely(ctx, () =>
            ctx.step(name, ({ attempt }) => run(again || attempt > 1), {
              *undo(made) {
                if ('done' in made) yield* undo(made.done);
              },
            }),
          );
          if ('done' in said) continue;
          failures.push({ number: wish.number, why: said.failed });
          break;
        }
      }
      return failures;
    }
  });

interface Failure {
  readonly number: number;
  readonly why: string;
}

/** What is open, page by page. */
function* openIn(
  repository: string,
  kind: 'issues' | 'pulls' | 'both',
  limit: number,
  ctx: TriageContext,
): Operation<Issue[]> {
  const all: Issue[] = [];
  for (let page = 1; all.length < limit; page++) {
    yield* ctx.notify(`Reading ${repository}`);
    const { issues, more } = needed(
      yield* politely(ctx, () =>
        ctx.step(`page ${page}`, () => issuesOn(page, repository, kind), { reads: true }),
      ),
    );
    all.push(...issues);
    if (!more) break;
  }
  return all.slice(0, limit);
}

function* labelsOf(repository: string, ctx: TriageContext): Operation<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page++) {
    const { labels, more } = needed(
      yield* politely(ctx, () =>
        ctx.step(`labels ${page}`, () => labelsOn(page, repository), { reads: true }),
      ),
    );
    all.push(...labels);
    if (!more) return all;
  }
}

/** What was read; without it there is no triage. */
function needed<T>(said: { readonly done: T } | { readonly failed: string }): T {
  if ('failed' in said) throw new Error(`GitHub says ${said.failed}`);
  return said.done;
}

/** Does it again when GitHub has asked to wait. Nothing runs meanwhile: the call may wait in another process. */
function* politely<T>(
  ctx: TriageContext,
  request: () => Operation<Said<T>>,
): Operation<Exclude<Said<T>, { wait: number }>> {
  for (;;) {
    const said = yield* request();
    if (!('wait' in said)) return said;
    yield* ctx.notify(`GitHub asks to wait ${said.wait} seconds`);
    yield* ctx.sleep(said.wait * 1000);
  }
}

function told(sent: number, all: number, failed: readonly Failure[]): string {
  const some = failed.slice(0, 10).map(({ number, why }) => `\n- #${number}: ${why}`);
  const rest = failed.length > 10 ? `\n- and ${failed.length - 10} more` : '';
  return `${sent} of ${all} were sent.${failed.length > 0 ? ` These failed:${some.join('')}${rest}\n\n` : ' '}An undo takes labels and replies back and opens again what was closed; mail that GitHub has sent stays.`;
}

function notSent(why: string) {
  return { status: 'not_sent' as const, summary: `${why}. Nothing was sent.` };
}
