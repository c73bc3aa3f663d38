import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Err, ensure, Ok, type Operation, type Result, scoped, sleep, until } from 'effection';
import { StoreUnavailableError, StoreVersionError } from '../../core/errors/store-errors.ts';
import type { KeyRing } from '../../node/key-ring.ts';
import { makeFolder } from '../make-folder.ts';
import { Sealer } from '../sealed.ts';
import { APPLICATION, SQLITE_VERSION, sqliteSteps } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { isBusy, isOfSqlite, unavailable } from './unavailable.ts';

const FILE = 'calls.db';

/** Milliseconds that a write waits for another process; between two tries the first and the longest. */
const PATIENCE = 10_000;
const SOON = 2;
const LATER = 50;

/** So long what is asked for is written at once, milliseconds of each turn of the event loop: then others have their turn. */
const LONGEST = 20;

const SETTINGS = `pragma busy_timeout = 0; pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma foreign_keys = on;
  pragma trusted_schema = off`;

/** What a transaction begins with. `write`: when it is done, it survives a power failure. `note`: it survives the process. */
const BEGIN = {
  read: 'begin',
  note: 'pragma synchronous = normal; begin immediate',
  write: 'pragma synchronous = full; begin immediate',
};

/** A write that waits for its turn. */
interface Waiting {
  readonly kind: 'note' | 'write';
  readonly asked: number;
  work(): unknown;
  settle(outcome: Result<unknown>): void;
}

/** The file as it was opened. */
interface Opened {
  readonly db: DatabaseSync;
  readonly sealer: Sealer;
  readonly inode: bigint;
  readonly statements: Map<string, StatementSync>;
}

/** What statements take. */
export type Value = SQLInputValue;

/**
 * The database in a folder, opened when it is first needed. SQLite works while its caller stands still, so it never waits for another process
 * here: who finds it locked sleeps, and tries again.
 */
export class SqliteDatabase {
  readonly #folder: string;
  readonly #ring: KeyRing;
  /** Those who wait to write, in their order. */
  #waiting: Waiting[] = [];
  #isSet = false;
  /** Milliseconds of this turn of the event loop that went into writing. */
  #spent = 0;
  #opened: Opened | undefined;
  #closed = false;

  constructor(folder: string, ring: KeyRing) {
    this.#folder = folder;
    this.#ring = ring;
  }

  /** Its path: for people. */
  get where(): string {
    return join(this.#folder, FILE);
  }

  /** Seals what is kept here, inside of `read` and `write`. */
  get sealer(): Sealer {
    return this.#now().sealer;
  }

  run(text: string, ...values: Value[]): number {
    return Number(this.#statement(text).run(...values).changes);
  }

  get<Row>(text: string, ...values: Value[]): Row | undefined {
    // The columns are those that the statement names.
    return this.#statement(text).get(...values) as Row | undefined;
  }

  all<Row>(text: string, ...values: Value[]): readonly Row[] {
    return this.#statement(text).all(...values) as unknown as readonly Row[];
  }

  /** Row after row: only as many are read as are asked for. */
  each<Row>(text: string, ...values: Value[]): Iterable<Row> {
    return this.#statement(text).iterate(...values) as unknown as Iterable<Row>;
  }

  /** Reads as if nobody wrote meanwhile. @throws `StoreUnavailableError` */
  *read<T>(work: () => T): Operation<T> {
    const asked = performance.now();
    for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
      const done = this.#attempt('read', work);
      if (done) return done.value;
      if (performance.now() - asked > PATIENCE) throw this.#isLocked();
      yield* sleep(pause);
    }
  }

  /**
   * Writes in one piece; in the order in which it was asked for. When it fails, nothing has happened.
   *
   * @throws `StoreUnavailableError`
   */
  *write<T>(work: () => T, kind: Waiting['kind'] = 'write'): Operation<T> {
    if (this.#waiting.length === 0 && this.#spent < LONGEST) {
      const done = this.#attempt(kind, work);
      if (done) return done.value;
    }
    const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
    this.#waiting.push({ kind, work, asked: performance.now(), settle: resolve });
    this.#writeLater(0);
    return yield* scoped(function* () {
      // Who is halted had asked for it, as a rule for the last word of a call.
      yield* ensure(() => until(promise.then(() => {})));
      const outcome = yield* until(promise);
      if (!outcome.ok) throw outcome.error;
      // What comes of the work is what it is settled with.
      return outcome.value as T;
    });
  }

  /** The same for what need not survive a power failure: who holds a call, and what is only looked at. */
  note<T>(work: () => T): Operation<T> {
    return this.write(work, 'note');
  }

  /** Reads what can be read at once. */
  glance<T>(work: () => T): T | undefined {
    try {
      return this.#attempt('read', work)?.value;
    } catch {
      return undefined;
    }
  }

  /** What was asked for before is written, unless another process has the database. */
  close(): void {
    for (let left = Number.NaN; this.#waiting.length > 0 && this.#waiting.length !== left; ) {
      left = this.#waiting.length;
      this.#writeAll(0);
    }
    this.#closed = true;
    this.#drop();
  }

  #writeLater(pause: number): void {
    if (this.#isSet) return;
    this.#isSet = true;
    const then = () => {
      this.#isSet = false;
      this.#writeAll(pause);
    };
    if (pause === 0) setImmediate(then);
    else setTimeout(then, pause);
  }

  /** Writes what waits, as much as a turn has time for: one wait for the disk is that of them all. */
  #writeAll(pause: number): void {
    let next = 0;
    try {
      const done = this.#attempt(this.#waiting.some(({ kind }) => kind === 'write') ? 'write' : 'note', () =>
        this.#apartUntil(performance.now() + LONGEST),
      );
      if (!done) {
        this.#refuseOld();
        next = Math.min(Math.max(SOON, 2 * pause), LATER);
      }
      this.#waiting.splice(0, done?.value.length ?? 0);
      for (const tell of done?.value ?? []) tell();
    } catch {
      // None of it has happened: whose fault it was shows when each is alone.
      for (const one of this.#waiting.splice(0)) this.#writeAlone(one);
    }
    if (this.#waiting.length > 0) this.#writeLater(next);
  }

  /** Writes one after the other, until it is time to end. Gives what tells of each when all of it is done. */
  #apartUntil(end: number): readonly (() => void)[] {
    const told: (() => void)[] = [];
    for (const one of this.#waiting) {
      told.push(this.#apart(one));
      if (performance.now() > end) break;
    }
    return told;
  }

  /** One of several writes: an error in it does not affect the others. */
  #apart({ work, settle }: Waiting): () => void {
    this.run('savepoint one');
    try {
      const value = work();
      this.run('release one');
      return () => settle(Ok(value));
    } catch (error) {
      // The database itself may have undone what was done before.
      if (isOfSqlite(error)) throw error;
      this.run('rollback to one');
      this.run('release one');
      return () => settle(Err(error as Error));
    }
  }

  #writeAlone(one: Waiting): void {
    try {
      const done = this.#attempt(one.kind, one.work);
      if (done) one.settle(done);
      else this.#waiting.push(one);
    } catch (error) {
      one.settle(Err(error as Error));
    }
  }

  #refuseOld(): void {
    const isOld = ({ asked }: Waiting) => performance.now() - asked > PATIENCE;
    const old = this.#waiting.filter(isOld);
    this.#waiting = this.#waiting.filter((one) => !isOld(one));
    for (const { settle } of old) settle(Err(this.#isLocked()));
  }

  /** Does it at once; `undefined` while another process has the database. */
  #attempt<T>(kind: keyof typeof BEGIN, work: () => T): (Result<T> & { ok: true }) | undefined {
    const began = performance.now();
    if (this.#spent === 0) setImmediate(() => (this.#spent = 0));
    try {
      const { db } = this.#open();
      db.exec(BEGIN[kind]);
      try {
        const value = work();
        db.exec('commit');
        return { ok: true, value };
      } catch (error) {
        rollback(db);
        throw error;
      }
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw unavailable(this.where, error);
    } finally {
      this.#spent += performance.now() - began;
    }
  }

  #statement(text: string): StatementSync {
    const { db, statements } = this.#now();
    const statement = statements.get(text) ?? db.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  #now(): Opened {
    if (!this.#opened) throw new StoreUnavailableError({ where: this.where, problem: 'it is not open.' });
    return this.#opened;
  }

  /** What could not be opened may be there the next time. */
  #open(): Opened {
    if (this.#closed) throw new StoreUnavailableError({ where: this.where, problem: 'it was closed.' });
    const opened = this.#opened;
    if (opened) {
      // A file that was deleted would still take what is written, and keep nothing; one that was put back is another.
      const { ino } = statSync(this.where, { bigint: true });
      if (ino === opened.inode) return opened;
      this.#drop();
    }
    const now = this.#start();
    this.#opened = now;
    return now;
  }

  #start(): Opened {
    this.#prepareFolder();
    const db = openSqlite(this.where);
    try {
      db.exec(SETTINGS);
      const storeId = prepareTables(db, this.where);
      const { ino: inode } = statSync(this.where, { bigint: true });
      return { db, sealer: new Sealer(this.#ring, storeId, this.where), inode, statements: new Map() };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #prepareFolder(): void {
    makeFolder(this.#folder);
    const { mode } = statSync(this.#folder);
    const problem =
      process.platform !== 'win32' && (mode & 0o002) !== 0
        ? `every user of this machine may write there. Run: chmod o-w '${this.#folder}'`
        : existsSync(join(this.#folder, 'store.json'))
          ? 'it holds files of calls from an earlier version of Parley, which this version does not read. Choose another folder, or delete those files.'
          : undefined;
    if (problem !== undefined) throw new StoreUnavailableError({ where: this.#folder, problem });
    // For this user only; SQLite gives the files beside it the same mode.
    if (!existsSync(this.where)) closeSync(openSync(this.where, 'a', 0o600));
  }

  #drop(): void {
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  #isLocked(): Error {
    return new StoreUnavailableError({
      where: this.where,
      problem: `another process has locked it for ${PATIENCE / 1000} seconds. If that process is stopped, let it continue or end it; each request tries again.`,
    });
  }
}

/** Makes the tables what this Parley needs, and gives the id of the store. @throws `StoreVersionError`, `StoreUnavailableError` */
function prepareTables(db: DatabaseSync, where: string): string {
  // The names of pragmas are those of their columns.
  const pragma = (name: string) => (db.prepare(`pragma ${name}`).get() as Record<string, unknown>)[name];
  if (pragma('journal_mode') !== 'wal')
    throw new StoreUnavailableError({
      where,
      problem:
        'it is on a disk, such as a network folder, that processes cannot share. Choose a folder on a disk of this machine.',
    });
  if (pragma('user_version') !== SQLITE_VERSION || pragma('application_id') !== APPLICATION) {
    db.exec('begin immediate');
    try {
      const found = Number(pragma('user_version'));
      const isEmpty = found === 0 && !db.prepare('select 1 from sqlite_schema').get();
      if (!isEmpty && pragma('application_id') !== APPLICATION)
        throw new StoreUnavailableError({
          where,
          problem: 'it is a database of another program. Choose another folder.',
        });
      if (found > SQLITE_VERSION)
        throw new StoreVersionError({ where, found: String(found), known: String(SQLITE_VERSION) });
      for (const step of sqliteSteps.slice(found)) db.exec(step);
      if (isEmpty) db.prepare('insert into store (one, id, fence) values (1, ?, 0)').run(randomUUID());
      db.exec(`pragma application_id = ${APPLICATION}; pragma user_version = ${SQLITE_VERSION}; commit`);
    } catch (error) {
      rollback(db);
      throw error;
    }
  }
  return String((db.prepare('select id from store').get() as { readonly id: unknown }).id);
}

/** Whatever was done is undone already where a disk failed. */
function rollback(db: DatabaseSync): void {
  try {
    db.exec('rollback');
  } catch {
    // There is nothing to undo.
  }
}
