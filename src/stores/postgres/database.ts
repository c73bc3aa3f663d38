import type { Client, Pool } from 'pg';
import { StoreUnavailableError } from '../../core/errors/store-errors.ts';
import type { KeyRing } from '../../node/key-ring.ts';
import { createLimiter } from '../limiter.ts';
import { Notices } from '../notices.ts';
import { Alive } from './alive.ts';
import { migrate } from './migrate.ts';
import { isLost, unavailable } from './unavailable.ts';

/** Where a database is. What is not said is taken from the environment (`PGHOST`, `PGPASSWORD`, `PGPASSFILE` …). */
export interface PostgresAddress {
  /** `postgres://user@host:5432/database`. */
  readonly url?: string;
  /** The password, or what gives one that is good now. */
  readonly password?: string | (() => string | Promise<string>);
  /** As `tls.connect` takes it; a URL says it with `sslmode`. */
  readonly ssl?: boolean | object;
}

/** What a database is opened with. */
export interface DatabaseOptions extends PostgresAddress {
  readonly schema: string;
  readonly ring: KeyRing;
  /** Most connections at once; one more says that this process lives. */
  readonly connections: number;
}

/** One statement, prepared once a connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Milliseconds. The database gives up before we do, so that what was given up has not happened. */
const CONNECT = 5_000;
const STATEMENT = 8_000;
const ANSWER = 10_000;
/** Nothing of ours waits so long for its turn, or is lost by giving up then. */
const TURN = 30_000;

/** What is known once the database has been reached. */
interface Ready {
  readonly pool: Pool;
  readonly storeId: string;
  readonly alive: Alive;
}

/** The tables of a store, reached when they are first needed. */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #turn: ReturnType<typeof createLimiter>;
  /** Who is told of calls in other processes. */
  readonly notices = new Notices();
  #ready: Promise<Ready> | undefined;
  #where = 'PostgreSQL';
  #closed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#turn = createLimiter(options.connections);
  }

  /** Its address, without user and password: for people. */
  get where(): string {
    return this.#where;
  }

  /** Drawn when the store was made: what was sealed for another store does not open here. */
  async storeId(): Promise<string> {
    return (await this.#open()).storeId;
  }

  /** The number by which others can tell that this process lives. */
  async owner(): Promise<{ readonly owner: number; readonly space: number }> {
    const { alive } = await this.#open();
    return { owner: await alive.number(), space: alive.space };
  }

  /**
   * Runs a statement, once more when the connection was lost before anybody knew what came of it: only for those that may run twice.
   *
   * @throws `StoreUnavailableError`
   */
  async again<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return await this.#run(statement, values, 1);
  }

  /** Runs a statement at most once. @throws `StoreUnavailableError` */
  async once<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return await this.#run(statement, values, 0);
  }

  /** Does work, and says what is wrong with the database in words for people. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw unavailable(this.#where, error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const ready = await this.#ready?.catch(() => undefined);
    await ready?.alive.close();
    await ready?.pool.end();
  }

  async #run<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
    more: number,
  ): Promise<readonly Row[]> {
    const asked = Date.now();
    return await this.#turn(async () => {
      if (Date.now() - asked > TURN) {
        throw new StoreUnavailableError({
          where: this.#where,
          problem: 'it is overloaded. Try again later.',
        });
      }
      const { pool } = await this.#open();
      for (let left = more; ; left -= 1) {
        try {
          return (await pool.query<Row>({ name, text, values: [...values] })).rows;
        } catch (error) {
          if (left <= 0 || !isLost(error)) throw error;
        }
      }
    });
  }

  /** What could not be reached may be there the next time. */
  async #open(): Promise<Ready> {
    if (this.#closed) throw new StoreUnavailableError({ where: this.#where, problem: 'it was closed.' });
    this.#ready ??= this.#start();
    try {
      return await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #start(): Promise<Ready> {
    const { schema, ring, connections, url, password, ssl } = this.#options;
    const { default: pg } = await import('pg');
    const config = {
      ...(url === undefined ? {} : { connectionString: url }),
      ...(ssl === undefined ? {} : { ssl }),
      application_name: 'parley',
      connectionTimeoutMillis: CONNECT,
      query_timeout: ANSWER,
      statement_timeout: STATEMENT,
      lock_timeout: CONNECT,
      keepAlive: true,
    };
    /** A URL counts for more than what stands beside it, even where it says nothing of a password. */
    class LoggedIn extends pg.Client {
      constructor() {
        super(config);
        if (password !== undefined) Object.assign(this, { password });
      }
    }
    const connect = (): Client => new LoggedIn();
    const client = connect();
    // Heard of by who waits for an answer.
    client.on('error', () => {});
    this.#where = `postgres://${client.host}:${client.port}/${client.database ?? ''}`;
    let storeId: string;
    try {
      await client.connect();
      storeId = await migrate(client, schema, ring, this.#where);
    } finally {
      client.end().catch(() => {});
    }
    const pool = new pg.Pool({
      Client: LoggedIn,
      max: connections,
      connectionTimeoutMillis: CONNECT,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // An idle connection was lost: the next statement makes another.
    pool.on('error', () => {});
    const listening = { channel: channelOf(schema), notices: this.notices };
    return { pool, storeId, alive: new Alive({ connect, schema, storeId, listening }) };
  }
}

/** Where the processes on the tables of a schema, which is quoted, tell each other what to look at. */
export function channelOf(schema: string): string {
  return `"parley_${schema.slice(1)}`;
}
