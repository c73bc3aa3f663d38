import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { type Listening, listen } from './notices.ts';

/** What it takes to be seen alive. */
export interface AliveOptions {
  connect(): Client;
  readonly schema: string;
  readonly storeId: string;
  /** What else this connection is for: what other processes tell comes here. */
  readonly listening: Listening;
}

/** Between two tries to be seen again, milliseconds: the first and the longest. */
const SOON = 100;
const LATER = 1_000;

/**
 * Says that this process lives: a connection of its own holds a lock with its number. When the process dies, its connection ends, the lock is
 * free, and others need not wait until its claims lapse. A connection that was lost is made again with the same number.
 */
export class Alive {
  readonly #options: AliveOptions;
  /** Numbers of processes are locks in a space of the store's own. */
  readonly space: number;
  #number: number | undefined;
  #client: Client | undefined;
  #seen: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AliveOptions) {
    this.#options = options;
    this.space = createHash('sha256').update(`parley owners ${options.storeId}`).digest().readInt32BE();
  }

  /** The number of this process, once others can see that it lives. */
  number(): Promise<number> {
    if (this.#seen) return this.#seen;
    const seen = this.#show();
    this.#seen = seen;
    seen.catch(() => {
      if (this.#seen === seen) this.#seen = undefined;
    });
    return seen;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#seen?.catch(() => {});
    await this.#client?.end().catch(() => {});
  }

  async #show(): Promise<number> {
    const { connect, schema, listening } = this.#options;
    const client = connect();
    let isLost = false;
    client.on('error', () => {});
    client.on('end', () => {
      isLost = true;
      if (this.#client === client) this.#showAgain(SOON);
    });
    try {
      await client.connect();
      this.#number ??= (
        await client.query<{ number: number }>(`select nextval('${schema}.owners')::integer as number`)
      ).rows[0]?.number;
      // Shared: a connection that was lost may hold it for a while, where the database has not noticed.
      await client.query('select pg_advisory_lock_shared($1, $2)', [this.space, this.#number]);
      await listen(client, listening);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    // The connection alone keeps no process alive.
    if ('unref' in client && typeof client.unref === 'function') client.unref();
    if (isLost) this.#showAgain(SOON);
    return this.#number ?? 0;
  }

  #showAgain(pause: number): void {
    if (this.#closed) return;
    this.#client = undefined;
    this.#seen = undefined;
    this.#timer = setTimeout(() => {
      this.number().catch(() => this.#showAgain(Math.min(2 * pause, LATER)));
    }, pause).unref();
  }
}
