import { randomBytes } from 'node:crypto';
import type { Operation } from 'effection';
import { SessionExistsError } from '../../core/errors/session-errors.ts';
import { ClaimLostError } from '../../core/errors/store-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { checkOptions, type OptionNames } from '../../core/schema/check-options.ts';
import { createKeyRing } from '../../node/key-ring.ts';
import {
  type Append,
  type CallName,
  type CallStore,
  type CallSummary,
  type Claim,
  type ClaimOutcome,
  type DueCall,
  type EventAppend,
  type InboxMessage,
  type LeaveOutcome,
  type ListOptions,
  MOST_MESSAGES,
  type NewCall,
  type StoredCall,
} from '../../runtime/journal/call-store.ts';
import { type StoreBounds, storeBounds } from '../bounds.ts';
import { callIsFull } from '../full.ts';
import { Lapses, type StoreClocks, storeClocks } from '../lapses.ts';
import { isDead, ownerIn, thisProcess } from '../owner.ts';
import { headIn, hex, notesIn, type Seal, sealNew } from '../sealed.ts';
import { NOTHING, noted, written } from '../written.ts';
import { SqliteDatabase, type Value } from './database.ts';
import { makeRoom, sweep } from './room.ts';
import { WatchedCalls } from './watched.ts';

/** What `createSqliteStore` takes. */
export interface SqliteStoreOptions {
  /** Where the database is, on a disk of this machine. It is made when it is not there, for this user only. */
  readonly folder: string;
  /** 32 bytes each: the first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  readonly bounds?: StoreBounds;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
  /** Told of calls that lists pass over, because they cannot be read, and of those that gave way. */
  onProblem?(error: unknown): void;
}

const OPTIONS = Object.keys({
  folder: true,
  keys: true,
  bounds: true,
  now: true,
  onProblem: true,
} satisfies OptionNames<SqliteStoreOptions>);

/** A store on a disk. */
export interface SqliteStore extends CallStore {
  /** Whether calls can be kept now: writes where they would be. @throws what `CallStore` throws when they cannot: what is wrong, for people */
  check(): Operation<void>;
  /** Closes its file. What it held lapses, unless it was given back. */
  close(): Promise<void>;
}

/**
 * Keeps calls in a SQLite database, sealed: for one machine, and as many processes on it as there are. It needs no package: Node has SQLite.
 *
 * @throws `TypeError` for keys that are none, and for an option that is not known
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkOptions('createSqliteStore', options, OPTIONS);
  return new TablesStore(options);
}

/** Who holds a call, as the row of the call says. */
export interface Hold {
  readonly owner: string | null;
  readonly touched: number;
}

interface Row extends Seal, Hold {
  readonly fence: number;
  readonly due: number | null;
  readonly ended: number | null;
  readonly lines: number;
  readonly entries: number;
  readonly head: Uint8Array;
  readonly notes: Uint8Array;
  readonly size: number;
  readonly events: number;
  readonly event_size: number;
  readonly inbox: number;
  readonly inbox_size: number;
}

interface Body {
  readonly seq: number;
  readonly body: Uint8Array;
}

class TablesStore implements SqliteStore {
  readonly #db: SqliteDatabase;
  readonly #bounds: Required<StoreBounds>;
  readonly #clocks: StoreClocks;
  readonly #lapses: Lapses;
  readonly #watched: WatchedCalls;
  readonly #onProblem: (error: unknown) => void;
  #swept: number;

  constructor({ folder, keys, bounds, now, onProblem = () => {} }: SqliteStoreOptions) {
    this.#db = new SqliteDatabase(folder, createKeyRing(keys));
    this.#bounds = storeBounds(bounds);
    this.#clocks = storeClocks(now);
    this.#lapses = new Lapses(this.#clocks);
    this.#watched = new WatchedCalls(this.#db);
    this.#onProblem = onProblem;
    this.#swept = this.#clocks.ticks();
  }

  *begin(call: NewCall): Operation<Claim> {
    const { name } = call;
    const told: Error[] = [];
    const fence = yield* this.#db.write(() => {
      told.length = 0;
      const { sealer } = this.#db;
      const by = { id: sealer.idOf(name), key: sealer.current, salt: randomBytes(16) };
      if (this.#db.get('select 1 from calls where id = ?', by.id))
        throw new SessionExistsError({ callId: name.callId });
      const { lines, due, ended } = written(NOTHING, { ...call, at: 0 });
      const { head, notes, body, size } = sealNew(sealer.of(by), call);
      if (size > this.#bounds.callBytes) throw callIsFull(name, this.#bounds);
      const principal = sealer.digest(name.principal);
      told.push(...makeRoom(this.#db, principal, size, this.#bounds, (hold) => this.#isHeld(hold)));
      const fence = this.#nextFence();
      const now = this.#clocks.now();
      this.#db.run(
        `insert into calls (id, principal, conversation, key, salt, fence, owner, touched, due, ended, lines, entries, size)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[by.id, principal, sealer.digest(name.conversation), by.key, by.salt, fence, ownText(), now, due],
        ...[ended ? now : null, lines, 1, size],
      );
      this.#db.run('insert into contents values (?, ?, ?)', by.id, head, notes);
      if (body) this.#db.run('insert into entries values (?, 0, ?)', by.id, body);
      return fence;
    });
    for (const problem of told) this.#onProblem(problem);
    return { name: { ...name }, fence };
  }

  append(claim: Claim, what: Append): Operation<void> {
    return this.#db.write(() => {
      const row = this.#mine(claim);
      const sealed = this.#db.sealer.of(row);
      const { added, lines, due, ended } = written({ ...row, ended: row.ended !== null }, what);
      const body = added.length > 0 ? sealed.seal(`entry ${row.entries}`, added) : undefined;
      const notes = what.notes ? sealed.seal('notes', noted(notesIn(sealed, row), what.notes)) : row.notes;
      const size = row.size - row.notes.length + notes.length + (body?.length ?? 0);
      if (size > Math.max(row.size, this.#bounds.callBytes)) throw callIsFull(claim.name, this.#bounds);
      const now = this.#clocks.now();
      this.#db.run(
        `update calls set owner = ?, touched = ?, due = ?, ended = ?, lines = ?, entries = entries + 1, size = ?
          where id = ?`,
        ...[
          what.release ? null : row.owner,
          now,
          due,
          ended ? (row.ended ?? now) : null,
          lines,
          size,
          row.id,
        ],
      );
      if (body) this.#db.run('insert into entries values (?, ?, ?)', row.id, row.entries, body);
      if (notes !== row.notes) this.#db.run('update contents set notes = ? where call = ?', notes, row.id);
      if (what.taken?.length) this.#remove(row.id, what.taken);
    });
  }

  appendEvents(claim: Claim, { replace, events }: EventAppend): Operation<void> {
    return this.#db.note(() => {
      const row = this.#mine(claim);
      const body = this.#db.sealer.of(row).seal(`event ${row.events}`, events);
      const size = (replace ? 0 : row.event_size) + body.length;
      if (size > this.#bounds.callBytes) throw callIsFull(claim.name, this.#bounds);
      if (replace) this.#db.run('delete from events where call = ?', row.id);
      this.#db.run('insert into events values (?, ?, ?)', row.id, row.events, body);
      this.#db.run('update calls set events = events + 1, event_size = ? where id = ?', size, row.id);
    });
  }

  read(name: CallName): Operation<StoredCall | undefined> {
    return this.#db.read(() => {
      const row = this.#row(this.#db.sealer.idOf(name));
      return row && this.#stored(row, this.#isHeld(row));
    });
  }

  readEvents(name: CallName): Operation<readonly JsonValue[]> {
    return this.#db.read(() => {
      const row = this.#row(this.#db.sealer.idOf(name));
      return row ? this.#bodies(row, 'event') : [];
    });
  }

  claim(name: CallName, anyway?: true): Operation<ClaimOutcome> {
    return this.#db.note(() => {
      const row = this.#row(this.#db.sealer.idOf(name));
      if (!row) return { type: 'unknown' };
      if (!anyway && this.#isHeld(row)) return { type: 'held' };
      const fence = this.#nextFence();
      const touched = this.#clocks.now();
      this.#db.run(
        'update calls set fence = ?, owner = ?, touched = ? where id = ?',
        ...[fence, ownText(), touched, row.id],
      );
      return {
        type: 'claimed',
        claim: { name: { ...name }, fence },
        call: this.#stored({ ...row, touched }, true),
      };
    });
  }

  renew(claim: Claim): Operation<void> {
    return this.#db.note(() => {
      const { id } = this.#mine(claim);
      this.#db.run('update calls set touched = ? where id = ?', this.#clocks.now(), id);
    });
  }

  release({ name, fence }: Claim): Operation<void> {
    return this.#db.note(() => {
      this.#db.run(
        'update calls set owner = null, touched = ? where id = ? and fence = ? and owner is not null',
        ...[this.#clocks.now(), this.#db.sealer.idOf(name), fence],
      );
    });
  }

  *leave(name: CallName, message: InboxMessage): Operation<LeaveOutcome> {
    const outcome = yield* this.#db.write((): LeaveOutcome => {
      const { sealer } = this.#db;
      const row = this.#row(sealer.idOf(name));
      if (!row) return 'unknown';
      if (row.ended !== null) return 'closed';
      const [id, digest] = [sealer.digest(message.id), sealer.digest(message.digest)];
      const waits = this.#db.get<{ readonly digest: Uint8Array }>(
        'select digest from inbox where call = ? and message = ?',
        ...[row.id, id],
      );
      if (waits) return digest.equals(waits.digest) ? 'again' : 'other';
      const body = sealer.of(row).seal(`message ${hex(id)}`, message);
      const size = row.inbox_size + body.length;
      if (row.inbox >= MOST_MESSAGES || size > this.#bounds.callBytes) return 'full';
      this.#db.run(
        'insert into inbox (call, message, digest, body) values (?, ?, ?, ?)',
        row.id,
        id,
        digest,
        body,
      );
      this.#db.run(
        'update calls set inbox = inbox + 1, inbox_size = ?, told = told + 1 where id = ?',
        ...[size, row.id],
      );
      return 'left';
    });
    if (outcome === 'left') this.#watched.tell(name);
    return outcome;
  }

  take(claim: Claim): Operation<readonly InboxMessage[]> {
    return this.#db.read(() => {
      const row = this.#mine(claim);
      const sealed = this.#db.sealer.of(row);
      const rows = this.#db.all<{ readonly message: Uint8Array; readonly body: Uint8Array }>(
        'select message, body from inbox where call = ? order by seq',
        row.id,
      );
      // What opens was written by `leave`.
      return rows.map(
        ({ message, body }) => sealed.open(`message ${hex(message)}`, body) as unknown as InboxMessage,
      );
    });
  }

  due(limit = 100): Operation<readonly DueCall[]> {
    return this.#db.note(() => {
      this.#sweep();
      const found = new Map<string, DueCall>();
      const add = (why: DueCall['why'], which: string, ...values: Value[]) => {
        for (const row of this.#db.each<Row>(
          `select * from calls join contents on call = id where ended is null and ${which}`,
          ...values,
        )) {
          if (found.size >= limit) return;
          const key = hex(row.id);
          if (found.has(key) || this.#isHeld(row)) continue;
          this.#tried(() => found.set(key, { name: headIn(this.#db.sealer.of(row), row).name, why }));
        }
      };
      add('timer', 'due <= ? order by due', this.#clocks.now());
      add('orphan', 'owner is not null');
      add('message', 'inbox > 0 and owner is null');
      return [...found.values()];
    });
  }

  list({
    principal,
    conversation,
    ended,
    limit = 100,
    before,
  }: ListOptions = {}): Operation<readonly CallSummary[]> {
    return this.#db.read(() => {
      const { sealer } = this.#db;
      const which: [string, ...Value[]][] = [['true']];
      if (principal !== undefined) which.push(['principal = ?', sealer.digest(principal)]);
      if (conversation !== undefined) which.push(['conversation = ?', sealer.digest(conversation)]);
      if (ended !== undefined) which.push([`ended is ${ended ? 'not ' : ''}null`]);
      if (before !== undefined) which.push(['touched < ?', before]);
      const rows = this.#db.all<Row>(
        `select * from (select * from calls where ${which.map(([text]) => text).join(' and ')} order by touched desc limit ?)
          join contents on call = id order by touched desc`,
        ...which.flatMap(([, ...values]) => values),
        limit,
      );
      return rows.flatMap((row) => this.#tried(() => this.#summary(row, this.#isHeld(row))) ?? []);
    });
  }

  forget(name: CallName): Operation<boolean> {
    return this.#db.write(
      () => this.#db.run('delete from calls where id = ?', this.#db.sealer.idOf(name)) > 0,
    );
  }

  *tell(name: CallName): Operation<void> {
    yield* this.#db.note(() => {
      this.#db.run('update calls set told = told + 1 where id = ?', this.#db.sealer.idOf(name));
    });
    this.#watched.tell(name);
  }

  watch(name: CallName, look: () => void): () => void {
    return this.#watched.watch(name, look);
  }

  check(): Operation<void> {
    return this.#db.write(() => void this.#db.run('update store set probe = randomblob(16384)'));
  }

  async close(): Promise<void> {
    this.#watched.close();
    this.#db.close();
  }

  #row(id: Uint8Array): Row | undefined {
    return this.#db.get<Row>('select * from calls join contents on call = id where id = ?', id);
  }

  /** @throws `ClaimLostError` */
  #mine({ name, fence }: Claim): Row {
    const row = this.#row(this.#db.sealer.idOf(name));
    if (row?.fence !== fence || row.owner === null) throw new ClaimLostError({ callId: name.callId });
    return row;
  }

  #isHeld({ owner: text, touched }: Hold): boolean {
    const owner = text === null ? undefined : ownerIn(text);
    return owner !== undefined && !this.#lapses.isOver(touched) && !isDead(owner);
  }

  #nextFence(): number {
    return (
      this.#db.get<{ readonly fence: number }>('update store set fence = fence + 1 returning fence')?.fence ??
      0
    );
  }

  #remove(id: Uint8Array, messages: readonly string[]): void {
    for (const message of messages)
      this.#db.run('delete from inbox where call = ? and message = ?', id, this.#db.sealer.digest(message));
    this.#db.run(
      `update calls set (inbox, inbox_size) = (select count(*), coalesce(sum(length(body)), 0) from inbox where call = calls.id)
        where id = ?`,
      id,
    );
  }

  /** @throws `StoreDamagedError` */
  #stored(row: Row, held: boolean): StoredCall {
    const lines = this.#bodies(row, 'entry');
    if (lines.length !== row.lines) throw this.#db.sealer.of(row).damaged('lines are missing');
    return { ...this.#summary(row, held), lines };
  }

  #summary(row: Row, held: boolean): CallSummary {
    const sealed = this.#db.sealer.of(row);
    const { lines: lineCount, inbox, ended, touched, size } = row;
    const due = row.due ?? undefined;
    const notes = notesIn(sealed, row);
    return {
      ...headIn(sealed, row),
      notes,
      lineCount,
      inbox,
      due,
      ended: ended !== null,
      held,
      touched,
      size,
    };
  }

  #bodies(row: Row, kind: 'entry' | 'event'): JsonValue[] {
    const sealed = this.#db.sealer.of(row);
    const table = kind === 'entry' ? 'entries' : 'events';
    return this.#db
      .all<Body>(`select seq, body from ${table} where call = ? order by seq`, row.id)
      .flatMap(({ seq, body }) => sealed.open(`${kind} ${seq}`, body));
  }

  /** One among many: an error in it is reported, and does not affect the others. */
  #tried<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    }
  }

  /** Throws away what nobody has touched for too long. It looks rarely. */
  #sweep(): void {
    const { age } = this.#bounds;
    if (this.#swept + age / 10 > this.#clocks.ticks()) return;
    this.#swept = this.#clocks.ticks();
    sweep(this.#db, this.#clocks.now() - age, (hold) => this.#isHeld(hold));
  }
}

function ownText(): string {
  return JSON.stringify(thisProcess());
}
