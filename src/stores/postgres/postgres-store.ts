import { type Operation, until } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import { checkOptions, type OptionNames } from '../../core/schema/check-options.ts';
import { createKeyRing } from '../../node/key-ring.ts';
import type {
  Append,
  CallName,
  CallStore,
  CallSummary,
  Claim,
  ClaimOutcome,
  DueCall,
  EventAppend,
  InboxMessage,
  LeaveOutcome,
  ListOptions,
  NewCall,
  StoredCall,
} from '../../runtime/journal/call-store.ts';
import { type StoreBounds, storeBounds } from '../bounds.ts';
import { Database, type PostgresAddress } from './database.ts';
import { ClaimsInTables } from './held-calls.ts';
import { leaveMessage, takeMessages } from './inbox.ts';
import { dueCalls, listKept, readKept, readKeptEvents } from './kept-calls.ts';
import { TableRoom } from './room.ts';
import { statementsFor } from './statements.ts';
import { type Tables, tablesOf } from './tables.ts';

/** What `createPostgresStore` takes. */
export interface PostgresStoreOptions extends PostgresAddress {
  /** 32 bytes each, the same on all servers: the first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  /** Where the tables are; they are made when they are not there. `parley` by default. */
  readonly schema?: string;
  /** Most connections at once, 10 by default; one more says that this process lives. */
  readonly connections?: number;
  readonly bounds?: StoreBounds;
  /** Milliseconds since the epoch; the clock of the database by default. */
  now?(): number;
  /** Told of calls that lists pass over, because they cannot be read. */
  onProblem?(error: unknown): void;
}

const OPTIONS = Object.keys({
  url: true,
  password: true,
  ssl: true,
  keys: true,
  schema: true,
  connections: true,
  bounds: true,
  now: true,
  onProblem: true,
} satisfies OptionNames<PostgresStoreOptions>);

/** A store that has connections. */
export interface PostgresStore extends CallStore {
  /** Whether calls can be kept now. @throws what `CallStore` throws when they cannot: what is wrong, for people */
  check(): Operation<void>;
  /** Ends its connections. What it held lapses, unless it was given back. */
  close(): Promise<void>;
}

/**
 * Keeps calls in PostgreSQL, sealed: for any number of servers on any number of machines. It connects when it is first asked for something,
 * and needs the package `pg`.
 *
 * @throws `TypeError` for keys that are none, and for a schema that no database has
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  checkOptions('createPostgresStore', options, OPTIONS);
  return new TablesStore(options);
}

class TablesStore implements PostgresStore {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #room: TableRoom;
  readonly #held: ClaimsInTables;

  constructor(options: PostgresStoreOptions) {
    const {
      keys,
      schema = 'parley',
      connections = 10,
      bounds,
      now,
      onProblem = () => {},
      ...address
    } = options;
    const ring = createKeyRing(keys);
    const quoted = quotedName(schema);
    this.#database = new Database({ ...address, schema: quoted, ring, connections });
    const parts = {
      database: this.#database,
      statements: statementsFor(quoted),
      bounds: storeBounds(bounds),
      now: () => now?.() ?? null,
      onProblem,
    };
    this.#tables = tablesOf(parts, ring);
    this.#room = new TableRoom(this.#tables, parts.bounds);
    this.#held = new ClaimsInTables(this.#tables, this.#room);
  }

  begin(call: NewCall): Operation<Claim> {
    return this.#do(() => this.#held.begin(call));
  }

  append(claim: Claim, what: Append): Operation<void> {
    return this.#do(() => this.#held.append(claim, what));
  }

  appendEvents(claim: Claim, what: EventAppend): Operation<void> {
    return this.#do(() => this.#held.appendEvents(claim, what));
  }

  read(name: CallName): Operation<StoredCall | undefined> {
    return this.#do(() => readKept(this.#tables, name));
  }

  readEvents(name: CallName): Operation<readonly JsonValue[]> {
    return this.#do(() => readKeptEvents(this.#tables, name));
  }

  claim(name: CallName, anyway?: true): Operation<ClaimOutcome> {
    return this.#do(() => this.#held.claim(name, anyway));
  }

  renew(claim: Claim): Operation<void> {
    return this.#do(() => this.#held.renew(claim));
  }

  release(claim: Claim): Operation<void> {
    return this.#do(() => this.#held.release(claim));
  }

  leave(name: CallName, message: InboxMessage): Operation<LeaveOutcome> {
    return this.#do(() => leaveMessage(this.#tables, name, message));
  }

  take(claim: Claim): Operation<readonly InboxMessage[]> {
    return this.#do(() => takeMessages(this.#tables, claim));
  }

  due(limit = 100): Operation<readonly DueCall[]> {
    return this.#do(async () => {
      await this.#room.sweep();
      return await dueCalls(this.#tables, limit);
    });
  }

  list(options: ListOptions = {}): Operation<readonly CallSummary[]> {
    return this.#do(() => listKept(this.#tables, options));
  }

  forget(name: CallName): Operation<boolean> {
    return this.#do(async () => {
      const { database, statements } = this.#tables;
      const id = (await this.#tables.sealer()).idOf(name);
      return (await database.once(statements.forget, [id])).length > 0;
    });
  }

  tell(name: CallName): Operation<void> {
    return this.#do(async () => {
      const id = (await this.#tables.sealer()).idOf(name).toString('hex');
      await this.#database.again(this.#tables.statements.tell, [id]);
    });
  }

  watch(name: CallName, look: () => void): () => void {
    let stop: (() => void) | undefined = () => {};
    // The connection of this process that hears is made with its number.
    const ready = this.#database.owner().then(() => this.#tables.sealer());
    // A watcher of a database that cannot be reached now polls instead.
    ready.then(
      (sealer) => {
        if (!stop) return;
        stop = this.#database.notices.watch(sealer.idOf(name).toString('hex'), look);
        // What was told until now was not heard.
        look();
      },
      () => {},
    );
    return () => {
      stop?.();
      stop = undefined;
    };
  }

  check(): Operation<void> {
    return this.#do(async () => {
      await this.#database.owner();
      await this.#database.again(this.#tables.statements.check, []);
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  *#do<T>(work: () => Promise<T>): Operation<T> {
    return yield* until(this.#database.attempt(work));
  }
}

function quotedName(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) return `"${schema}"`;
  throw new TypeError(`a schema has a name of a-z, 0-9 and _, at most 50 of them, not '${schema}'`);
}
