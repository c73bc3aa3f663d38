import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ensure, type Operation, resource, until } from 'effection';
import { hasTransactions, type Statement, statementsOf } from './statements.ts';

/** A migration that the database does not have yet. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** How many rows a table has. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
}

/** What the tool knows before it asks. */
export interface Pending {
  readonly migrations: readonly Migration[];
  readonly tables: readonly TableSize[];
}

const BOOK = 'schema_migrations';

/** The database, open as long as its scope. */
export function useDatabase(file: string): Operation<DatabaseSync> {
  return resource(function* (provide) {
    // References are checked at the end: a table that is built anew breaks them for a while.
    const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
    yield* ensure(() => database.close());
    yield* provide(database);
  });
}

/** Which migrations of a folder are not in the database, in the order of their names. */
export function* pendingIn(folder: string, file: string): Operation<Pending> {
  const names = (yield* until(readdir(folder))).filter((name) => /^\d+[\w.-]*\.sql$/.test(name)).sort();
  if (names.length === 0)
    throw new Error(`There is no migration in ${folder}: their names are such as 001_add_users.sql.`);
  const database = yield* useDatabase(file);
  const applied = appliedIn(database);
  const migrations: Migration[] = [];
  for (const name of names) {
    const text = yield* until(readFile(join(folder, name), 'utf8'));
    const before = applied.get(name);
    if (before !== undefined) {
      if (before !== digestOf(text))
        throw new Error(`${name} was changed after it was applied: write a new migration in place of that.`);
      continue;
    }
    const statements = statementsOf(text);
    if (hasTransactions(statements))
      throw new Error(
        `${name} has transactions of its own: leave them out, all migrations are applied in one.`,
      );
    migrations.push({ name, statements });
  }
  return { migrations, tables: sizesIn(database) };
}

/** Tries a script and takes everything back; gives what the database says against it, or nothing. */
export function* triedOn(file: string, script: string): Operation<string | undefined> {
  const database = yield* useDatabase(file);
  database.exec('BEGIN IMMEDIATE');
  try {
    return problemOf(database, script);
  } finally {
    database.exec('ROLLBACK');
  }
}

/** Copies the database as it is now; gives where to. */
export function* backedUp(file: string, id: string): Operation<string> {
  const copy = `${file}.${createHash('sha256').update(id).digest('hex').slice(0, 12)}.backup`;
  yield* until(rm(copy, { force: true }));
  yield* until(backup(yield* useDatabase(file), copy));
  return copy;
}

/** Puts a backup back in place of the database, also while others have it open. */
export function* restored(file: string, from: string): Operation<void> {
  yield* until(backup(yield* useDatabase(from), file));
}

/**
 * Applies a script as these migrations, in one transaction: all of it, or nothing. After a crash it looks first whether that
 * transaction was committed.
 */
export function* applied(
  file: string,
  folder: string,
  names: readonly string[],
  script: string,
): Operation<readonly TableSize[]> {
  const texts: [string, string][] = [];
  for (const name of names) texts.push([name, digestOf(yield* until(readFile(join(folder, name), 'utf8')))]);
  const database = yield* useDatabase(file);
  database.exec('BEGIN IMMEDIATE');
  try {
    if (!names.every((name) => appliedIn(database).has(name))) {
      const problem = problemOf(database, script);
      if (problem !== undefined) throw new Error(problem);
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${BOOK} (name TEXT PRIMARY KEY, digest TEXT NOT NULL, applied TEXT NOT NULL)`,
      );
      const insert = database.prepare(`INSERT INTO ${BOOK} VALUES (?, ?, ?)`);
      for (const [name, digest] of texts) insert.run(name, digest, new Date().toISOString());
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
  return sizesIn(database);
}

/** Runs the statements of a script; gives the first that fails, with what the database says. */
function problemOf(database: DatabaseSync, script: string): string | undefined {
  const statements = statementsOf(script);
  if (hasTransactions(statements))
    return 'The script has transactions of its own: leave them out, all of it is applied in one.';
  for (const [at, { sql }] of statements.entries()) {
    try {
      database.exec(sql);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return `Statement ${at + 1} of ${statements.length} fails: ${said}\n${sql.slice(0, 300)}`;
    }
  }
  const [broken] = database.prepare('PRAGMA foreign_key_check').all();
  return broken
    ? `A row of ${broken.table} would refer to a row of ${broken.parent} that is not there.`
    : undefined;
}

function appliedIn(database: DatabaseSync): Map<string, string> {
  const has = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(BOOK);
  if (!has) return new Map();
  const rows = database.prepare(`SELECT name, digest FROM ${BOOK}`).all();
  return new Map(rows.map(({ name, digest }) => [String(name), String(digest)]));
}

function sizesIn(database: DatabaseSync): TableSize[] {
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY name",
    )
    .all(BOOK);
  return tables.map(({ name }) => {
    const { rows } =
      database.prepare(`SELECT count(*) AS rows FROM "${String(name).replaceAll('"', '""')}"`).get() ?? {};
    return { table: String(name), rows: Number(rows) };
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
