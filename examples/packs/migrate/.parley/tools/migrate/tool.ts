import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { isPostgres } from './connection.ts';
import { applied, backedUp, pendingIn, restored } from './database.ts';
import { askScript, type MigrateContext, questions } from './questions.ts';

/**
 * Applies migrations to a SQLite or PostgreSQL database: each statement with what it locks or loses, tried before it is asked about, edited, then
 * applied in one transaction over a backup, which can be put back when the result is not what was meant.
 */
export const migrate = createMcpTool('migrate')
  .description(
    'Applies the pending SQL migrations of a folder to a SQLite or PostgreSQL database, together with the user: shows each statement with what it locks or loses, ' +
      'tries it, lets the user edit it, applies all in one transaction, and can restore the backup of a SQLite file. ' +
      'Returns {"status": "applied" | "restored" | "not_applied" | "up_to_date", …}. Do not try again after "not_applied" or "restored".',
  )
  .parameters(
    z.object({
      database: z.string().min(1).meta({
        title: 'Database',
        description: 'A SQLite file, or the address of a PostgreSQL without its password',
        pick: 'file',
      }),
      migrations: z.string().default('migrations').meta({
        title: 'Migrations',
        description: 'Folder of files such as 001_add_users.sql',
        pick: 'folder',
      }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['applied', 'restored', 'not_applied', 'up_to_date']),
      summary: z.string(),
      migrations: z.array(z.string()).optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false })
  .title('Migrate a Database')
  .icon('database')
  .summary('Shows what each statement locks or loses; you edit; it applies all of it or nothing.')
  .requires({ elicitation: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ database, migrations }, ctx) {
    const root = yield* rootOf(ctx);
    const folder = resolve(root, migrations);
    const file = isPostgres(database) ? database : resolve(root, database);
    const place = { at: file, root };
    const pending = yield* ctx.step('look', () => pendingIn(folder, place), { reads: true });
    const names = pending.migrations.map(({ name }) => name);
    if (names.length === 0)
      return { status: 'up_to_date' as const, summary: `${database} has all migrations of ${migrations}.` };

    const script = yield* askScript(place, pending, ctx);
    if (script === undefined)
      return { status: 'not_applied' as const, summary: 'The migration was cancelled. Nothing was changed.' };

    if (isPostgres(database)) {
      yield* ctx.notify(`Applying ${names.length} migrations`);
      yield* ctx.step('apply', () => applied(place, folder, names, script));
      return {
        status: 'applied' as const,
        summary: `${database} has ${names.join(', ')}.`,
        migrations: names,
      };
    }
    yield* ctx.notify(`Backing up ${database}`);
    const backup = yield* ctx.step('back up', ({ id }) => backedUp(file, id), {
      undo: (made) => until(rm(made, { force: true })),
    });
    yield* ctx.notify(`Applying ${names.length} migrations`);
    const after = yield* ctx.step('apply', () => applied(place, folder, names, script), {
      undo: () => restored(file, backup),
    });

    const answer = yield* ctx.elicit('keep', {
      message: `${names.length} migrations are applied to ${database}. Keep them, or restore the backup? What others have written meanwhile is lost with a restore.`,
      before: [...pending.tables],
      after: [...after],
    });
    if (answer.action === 'accept' && answer.content.keep === 'restore') {
      yield* ctx.rollback();
      return {
        status: 'restored' as const,
        summary: `${database} is as it was before.`,
      };
    }
    return {
      status: 'applied' as const,
      summary: `${database} has ${names.join(', ')}. The backup is ${backup}.`,
      migrations: names,
    };
  });

/** The folder that relative paths are in: the caller's, or, where it names none, that of the server. */
function* rootOf(ctx: MigrateContext): Operation<string> {
  const [root] = ctx.capabilities.roots ? yield* ctx.roots() : [];
  if (root !== undefined) return fileURLToPath(root.uri);
  return yield* ctx.step('folder', () => process.cwd(), { reads: true });
}
