import type { Operation } from 'effection';
import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { isPostgres, type Place } from './connection.ts';
import { type Pending, triedOn } from './database.ts';

const statement = z.object({
  sql: z.string(),
  kind: z.string(),
  table: z.string().optional(),
  risk: z.string().optional(),
  locks: z.string().optional(),
});
const table = z.object({ table: z.string(), rows: z.int() });

/** What the tool asks. */
export const questions = {
  plan: {
    response: z
      .object({ script: z.string().min(1).max(200_000).meta({ title: 'SQL', multiline: true }) })
      .meta({ action: 'Apply', decline: false }),
    context: z.object({
      migrations: z.array(z.object({ name: z.string(), statements: z.array(statement).readonly() })),
      tables: z.array(table),
      script: z.string(),
    }),
  },
  keep: {
    response: z
      .object({
        keep: z
          .enum(['keep', 'restore'])
          .default('keep')
          .meta({ title: 'What now', enumNames: ['Keep the changes', 'Restore the backup'] }),
      })
      .meta({ action: 'Finish', decline: false }),
    context: z.object({ before: z.array(table), after: z.array(table) }),
  },
};

/** Through what the tool talks. */
export type MigrateContext = ToolContext<typeof questions>;

/** How often a script is asked for that the database refuses. */
const TRIES = 10;

/** Asks for the script, with what each statement does; `undefined` when the person does not want it. What would fail is asked again. */
export function* askScript(
  place: Place,
  pending: Pending,
  ctx: MigrateContext,
): Operation<string | undefined> {
  // It is tried as it was shown, and again as it was edited: what would fail is asked anew.
  const attempt = (script: string) => ctx.step('try', () => triedOn(place, script), { reads: true });
  let script = scriptOf(pending);
  let { problem, locks } = yield* attempt(script);
  // What it has really locked says more than its words.
  const found = locks.some((lock) => lock !== '') ? locks : undefined;
  let at = 0;
  const migrations = pending.migrations.map(({ name, statements }) => ({
    name,
    statements: statements.map(({ locks: guessed, ...rest }) => {
      const lock = found ? found[at++] : guessed;
      return { ...rest, ...(lock && { locks: lock }) };
    }),
  }));
  const statements = migrations.flatMap((migration) => migration.statements);
  const risks = statements.filter(({ risk, locks: lock }) => risk ?? lock);
  const about =
    `Apply ${migrations.length} migrations (${statements.length} statements) to ${place.at}? ` +
    (risks.length === 0
      ? 'None locks or loses anything.'
      : `${risks.length} ${risks.length === 1 ? 'locks or loses' : 'lock or lose'} something: ${inWords(risks)}`) +
    (isPostgres(place.at) ? ' Once applied, only a backup of yours brings back what was there.' : '');
  for (let tries = 0; tries < TRIES; tries++) {
    const message = problem ? `${problem}\n\nNothing was changed: it was only tried. ${about}` : about;
    const answer = yield* ctx.elicit('plan', {
      message,
      values: { script },
      migrations,
      tables: [...pending.tables],
      script,
    });
    if (answer.action !== 'accept') return undefined;
    script = answer.content.script;
    ({ problem } = yield* attempt(script));
    if (problem === undefined) return script;
  }
  return undefined;
}

/** The statements of all migrations as one script, with the name of each above it. */
export function scriptOf({ migrations }: Pending): string {
  return migrations
    .map(({ name, statements }) => `-- ${name}\n${statements.map(({ sql }) => `${sql};`).join('\n')}`)
    .join('\n\n');
}

function inWords(
  risks: readonly {
    kind: string;
    table?: string | undefined;
    risk?: string | undefined;
    locks?: string | undefined;
  }[],
): string {
  const some = risks
    .slice(0, 5)
    .map(({ kind, table: of = '', risk = '', locks = '' }) => `${kind} ${of}: ${`${risk} ${locks}`.trim()}`);
  return some.join(' ') + (risks.length > 5 ? ` And ${risks.length - 5} more.` : '');
}
