import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ensure, type Operation, until } from 'effection';
import { type Connection, type Place, type TableSize, useConnection } from './connection.ts';
import { hasTransactions, type Statement, statementsOf } from './statements.ts';

/** A migration that the database does not have yet. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** What the tool knows before it asks. */
export interface Pending {
  readonly migrations: readonly Migration[];
  readonly tables: readonly TableSize[];
}

/** What came of a script that was only tried. */
export interface Tried {
  /** What the database says against it. */
  readonly problem?: string;
  /** What each statement locks, in words; empty where nobody would notice, or where nobody knows. */
  readonly locks: readonly string[];
}

const BOOK = 'schema_migrations';

/** Which migrations of a folder are not in the database, in the order of their names. */
export function* pendingIn(folder: string, place: Place): Operation<Pending> {
  const names = (yield* until(readdir(folder))).filter((name) => /^\d+[\w.-]*\.sql$/.test(name)).sort();
  if (names.length === 0)
    throw new Error(`There is no migration in ${folder}: their names are such as 001_add_users.sql.`);
  const database = yield* useConnection(place);
  const applied = yield* appliedIn(database);
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
  return { migrations, tables: yield* sizesIn(database) };
}

/** Tries a script and takes everything back. */
export function* triedOn(place: Place, script: string): Operation<Tried> {
  const database = yield* useConnection(place);
  yield* database.begin();
  try {
    const locks: string[] = [];
    const problem = yield* problemOf(database, script, locks);
    return { locks, ...(problem !== undefined && { problem }) };
  } finally {
    yield* database.query('ROLLBACK');
  }
}

/** Copies the SQLite database as it is now; gives where to. */
export function* backedUp(file: string, id: string): Operation<string> {
  const copy = `${file}.${createHash('sha256').update(id).digest('hex').slice(0, 12)}.backup`;
  yield* until(rm(copy, { force: true }));
  yield* copied(file, copy);
  return copy;
}

/** Puts a backup back in place of the database, also while others have it open. */
export function* restored(file: string, from: string): Operation<void> {
  yield* copied(from, file);
}

function* copied(from: string, to: string): Operation<void> {
  const database = new DatabaseSync(from, { timeout: 5000 });
  yield* ensure(() => database.close());
  yield* until(backup(database, to));
}

/**
 * Applies a script as these migrations, in one transaction: all of it, or nothing. After a crash it looks first whether that
 * transaction was committed.
 */
export function* applied(
  place: Place,
  folder: string,
  names: readonly string[],
  script: string,
): Operation<readonly TableSize[]> {
  const texts: [string, string][] = [];
  for (const name of names) texts.push([name, digestOf(yield* until(readFile(join(folder, name), 'utf8')))]);
  const database = yield* useConnection(place);
  yield* database.begin();
  let isDone = false;
  try {
    const before = yield* appliedIn(database);
    if (!names.every((name) => before.has(name))) {
      const problem = yield* problemOf(database, script);
      if (problem !== undefined) throw new Error(problem);
      yield* database.query(
        `CREATE TABLE IF NOT EXISTS ${BOOK} (name TEXT PRIMARY KEY, digest TEXT NOT NULL, applied TEXT NOT NULL)`,
      );
      for (const [name, digest] of texts)
        yield* database.query(
          `INSERT INTO ${BOOK} VALUES ($1, $2, $3)`,
          name,
          digest,
          new Date().toISOString(),
        );
    }
    yield* database.query('COMMIT');
    isDone = true;
  } finally {
    if (!isDone) yield* database.query('ROLLBACK');
  }
  return yield* sizesIn(database);
}

/** Runs the statements of a script; gives the first that fails, with what the database says. */
function* problemOf(database: Connection, script: string, locks?: string[]): Operation<string | undefined> {
  const statements = statementsOf(script);
  if (hasTransactions(statements))
    return 'The script has transactions of its own: leave them out, all of it is applied in one.';
  // Others cannot know of a table that is made meanwhile.
  const tables = new Set((yield* database.tables()).map(({ table }) => table));
  const known = new Set<string>();
  for (const [at, { sql }] of statements.entries()) {
    try {
      yield* database.query(sql);
      if (at === statements.length - 1) {
        const broken = yield* database.broken();
        if (broken !== undefined) return broken;
      }
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return `Statement ${at + 1} of ${statements.length} fails: ${said}\n${sql.slice(0, 300)}`;
    }
    if (!locks) continue;
    const words = (yield* database.locks())
      .filter(({ table }) => tables.has(table))
      .map(
        ({ table, reads }) =>
          `Nobody ${reads ? 'writes to' : 'reads or writes'} ${table} until all is applied.`,
      );
    locks.push(words.filter((word) => !known.has(word)).join(' '));
    for (const word of words) known.add(word);
  }
  return undefined;
}

function* appliedIn(database: Connection): Operation<Map<string, string>> {
  if (!(yield* database.has(BOOK))) return new Map();
  const rows = yield* database.query(`SELECT name, digest FROM ${BOOK}`);
  return new Map(rows.map(({ name, digest }) => [String(name), String(digest)]));
}

function* sizesIn(database: Connection): Operation<TableSize[]> {
  return (yield* database.tables()).filter(({ table }) => table !== BOOK);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
