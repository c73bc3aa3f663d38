import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensure, type Operation, resource, until } from 'effection';

/** How many rows a table has; of PostgreSQL, about. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
}

/** Where a database is: a file, or the address of a PostgreSQL; and the folder whose packages are used for it. */
export interface Place {
  readonly at: string;
  readonly root: string;
}

/** A database while it is open, in the words that both kinds have. */
export interface Connection {
  /** Runs one statement, with values for `$1`, `$2` …; gives its rows. */
  query(sql: string, ...values: string[]): Operation<Record<string, unknown>[]>;
  /** Begins a transaction that nobody else changes anything in. */
  begin(): Operation<void>;
  has(table: string): Operation<boolean>;
  tables(): Operation<TableSize[]>;
  /** What would be broken if it were committed now; fails or says it. */
  broken(): Operation<string | undefined>;
  /** Tables that others cannot use now, and whether they can still read them. */
  locks(): Operation<{ table: string; reads: boolean }[]>;
}

/** Whether it is the address of a PostgreSQL, and no file. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database);
}

/** The database, open as long as its scope. */
export function useConnection(place: Place): Operation<Connection> {
  return isPostgres(place.at) ? usePostgres(place) : useSqlite(place.at);
}

function useSqlite(file: string): Operation<Connection> {
  return resource(function* (provide) {
    // References are checked at the end: a table that is built anew breaks them for a while.
    const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
    yield* ensure(() => database.close());
    const all = (sql: string, ...values: string[]) => database.prepare(sql).all(...values);
    yield* provide({
      *query(sql, ...values) {
        return all(values.length > 0 ? sql.replace(/\$(\d)/g, '?$1') : sql, ...values);
      },
      *begin() {
        database.exec('BEGIN IMMEDIATE');
      },
      *has(table) {
        return all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table).length > 0;
      },
      *tables() {
        return all(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        ).map(({ name }) => {
          const [count] = all(`SELECT count(*) AS rows FROM "${String(name).replaceAll('"', '""')}"`);
          return { table: String(name), rows: Number(count?.rows) };
        });
      },
      *broken() {
        const [row] = all('PRAGMA foreign_key_check');
        return row && `A row of ${row.table} would refer to a row of ${row.parent} that is not there.`;
      },
      // It is one lock for the whole file.
      *locks() {
        return [];
      },
    });
  });
}

/** What is used of the package `pg`, which is the project's own. */
interface Client {
  connect(): Promise<unknown>;
  query(sql: string, values?: readonly string[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

/** Others wait so long behind us, and we behind them, milliseconds. */
const PATIENCE = 3000;

function usePostgres(place: Place): Operation<Connection> {
  return resource(function* (provide) {
    const client = makeClient(place);
    // Whoever runs a statement hears of it.
    client.on('error', () => {});
    yield* until(client.connect());
    yield* ensure(() => until(client.end()));
    const query: Connection['query'] = function* (sql, ...values) {
      return (yield* until(client.query(sql, values))).rows;
    };
    const tables = `SELECT relname, greatest(reltuples, 0)::bigint AS rows FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace ORDER BY relname`;
    yield* provide({
      query,
      *begin() {
        yield* query('BEGIN');
        yield* query(`SET LOCAL lock_timeout = ${PATIENCE}`);
        // One at a time migrates.
        yield* query("SELECT pg_advisory_xact_lock(hashtext('schema_migrations'))");
      },
      *has(table) {
        return (yield* query('SELECT to_regclass($1) AS found', table))[0]?.found !== null;
      },
      *tables() {
        // What it estimates: to count would wait for whoever holds a table.
        return (yield* query(tables)).map(({ relname, rows }) => ({
          table: String(relname),
          rows: Number(rows),
        }));
      },
      *broken() {
        yield* query('SET CONSTRAINTS ALL IMMEDIATE');
        return undefined;
      },
      *locks() {
        const rows = yield* query(`SELECT DISTINCT relname, bool_or(mode = 'AccessExclusiveLock') AS no_reads
          FROM pg_locks JOIN pg_class c ON c.oid = relation WHERE pid = pg_backend_pid() AND relkind IN ('r', 'p')
          AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') GROUP BY relname`);
        return rows.map(({ relname, no_reads }) => ({ table: String(relname), reads: no_reads === false }));
      },
    });
  });
}

function makeClient({ at, root }: Place): Client {
  if (new URL(at).password !== '')
    throw new Error('Leave the password out of the address: put it into PGPASSWORD or ~/.pgpass.');
  let pg: { Client: new (options: { connectionString: string; connectionTimeoutMillis: number }) => Client };
  try {
    pg = createRequire(join(root, 'package.json'))('pg');
  } catch (cause) {
    throw new Error(`PostgreSQL needs the package pg: run npm install pg in ${root}.`, { cause });
  }
  return new pg.Client({ connectionString: at, connectionTimeoutMillis: 10_000 });
}
