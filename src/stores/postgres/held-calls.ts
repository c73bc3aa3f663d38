import { randomBytes } from 'node:crypto';
import { SessionExistsError } from '../../core/errors/session-errors.ts';
import { ClaimLostError } from '../../core/errors/store-errors.ts';
import type {
  Append,
  CallName,
  Claim,
  ClaimOutcome,
  EventAppend,
  NewCall,
} from '../../runtime/journal/call-store.ts';
import { callIsFull } from '../full.ts';
import { notesIn, type SealedCall, sealNew } from '../sealed.ts';
import { NOTHING, noted, written } from '../written.ts';
import { linesIn, readKept, type SummaryRow, storedIn, type WholeRow } from './kept-calls.ts';
import type { TableRoom } from './room.ts';
import type { Tables } from './tables.ts';

/** What a call's row says to who writes to it. */
interface HeldRow
  extends Pick<SummaryRow, 'key' | 'salt' | 'lines' | 'entries' | 'due' | 'ended' | 'notes' | 'size'> {
  readonly events: number;
}

/** A call that this store holds: what it takes to write to it without reading it. */
interface Held {
  readonly id: Buffer;
  readonly fence: number;
  /** `undefined` when nobody knows what came of the last write. */
  row: HeldRow | undefined;
  sealed: SealedCall | undefined;
  /** What was asked for last: one write at a time. */
  turn: Promise<unknown>;
}

/** What a claim gives. */
interface ClaimedRow extends WholeRow, Pick<HeldRow, 'events'> {
  readonly fence: number;
}

/** What was written at once by the same process cannot be in its own way more often. */
const TRIES = 3;

/** How often, and how many milliseconds apart, what was taken back is tried again: as long as a claim lasts. */
const BACK = 30;
const SOON = 1_000;

/** The calls that this process holds, and all that one may do only while holding one. */
export class ClaimsInTables {
  readonly #tables: Tables;
  readonly #room: TableRoom;
  readonly #held = new Map<number, Held>();
  /** Calls that a hold was asked for, whose answer has not come. */
  readonly #asked = new Set<{ readonly id: Buffer }>();

  constructor(tables: Tables, room: TableRoom) {
    this.#tables = tables;
    this.#room = room;
  }

  async begin(call: NewCall): Promise<Claim> {
    const { database, statements, bounds, now } = this.#tables;
    const { name } = call;
    const sealer = await this.#tables.sealer();
    const by = { id: sealer.idOf(name), key: sealer.current, salt: randomBytes(16) };
    const { lines, due, ended } = written(NOTHING, { ...call, at: 0 });
    const sealed = sealer.of(by);
    const { head, notes, body, size } = sealNew(sealed, call);
    if (size > bounds.callBytes) throw callIsFull(name, bounds);
    const [principal, conversation] = [sealer.digest(name.principal), sealer.digest(name.conversation)];
    await this.#room.admit(principal, size);
    const { owner } = await database.owner();
    const who = [by.id, principal, conversation, by.key, by.salt, owner, now()];
    const values = [...who, due, ended, lines, head, notes, body, size];
    return await this.#asking(by.id, async () => {
      const [made] = await database
        .again<{ fence: number }>(statements.begin, values)
        .catch((error: unknown) => {
          // Who began it was told that it did not begin: then nobody may find it later and go on with it.
          // Whatever this error is, the one of the try before may have hidden that it did.
          this.#later(() => database.again(statements.takeBack, [by.id, by.salt]));
          throw error;
        });
      if (!made) throw new SessionExistsError({ callId: name.callId });
      const { fence } = made;
      const row = { ...by, lines, entries: 1, due, ended, notes, size, events: 0 };
      this.#keep({ id: by.id, fence, sealed }, row);
      return { name: { ...name }, fence };
    });
  }

  async claim(name: CallName, anyway = false): Promise<ClaimOutcome> {
    const { database, statements, now } = this.#tables;
    const sealer = await this.#tables.sealer();
    const id = sealer.idOf(name);
    const { owner, space } = await database.owner();
    const claimed = await this.#asking(id, async () => {
      const [row] = await database
        .once<ClaimedRow>(statements.claim, [id, owner, now(), space, anyway])
        .catch((error: unknown) => {
          this.#later(() => this.#giveBackUnheard(id, owner));
          throw error;
        });
      return row && { row, held: this.#keep({ id, fence: row.fence, sealed: undefined }, undefined) };
    });
    if (!claimed) {
      const there = await database.again(statements.isThere, [id]);
      return { type: there.length > 0 ? 'held' : 'unknown' };
    }
    const { row, held } = claimed;
    const claim = { name: { ...name }, fence: row.fence };
    try {
      const sealed = sealer.of(row);
      // Who gave it back while this waited for that has added what this did not see.
      const isWhole = linesIn(sealed, row).length === row.lines;
      const call = isWhole ? storedIn(sealed, row, true) : await readKept(this.#tables, name);
      if (!call) return { type: 'unknown' };
      const { bodies: _, ...rest } = row;
      Object.assign(held, { sealed, row: rest });
      return { type: 'claimed', claim, call };
    } catch (error) {
      await this.release(claim);
      throw error;
    }
  }

  async append(claim: Claim, what: Append): Promise<void> {
    const { database, statements, bounds, now } = this.#tables;
    const sealer = await this.#tables.sealer();
    await this.#write(claim, async ({ id }, row, sealed) => {
      const { added, lines, due, ended } = written(row, what);
      const body = added.length > 0 ? sealed.seal(`entry ${row.entries}`, added) : null;
      const notes = what.notes ? sealed.seal('notes', noted(notesIn(sealed, row), what.notes)) : row.notes;
      const size = row.size - row.notes.length + notes.length + (body?.length ?? 0);
      if (size > Math.max(row.size, bounds.callBytes)) throw callIsFull(claim.name, bounds);
      const place = [id, claim.fence, row.entries];
      const taken = what.taken?.map((message) => sealer.digest(message)) ?? [];
      const rest = [now(), due, lines, ended, body, what.release === true, taken, notes, size];
      const done = await database.again(statements.append, [...place, ...rest]);
      if (done.length === 0) return undefined;
      return { ...row, lines, due, ended, entries: row.entries + 1, notes, size };
    });
    if (what.release) this.#held.delete(claim.fence);
  }

  async appendEvents(claim: Claim, { replace, events }: EventAppend): Promise<void> {
    const { database, statements, bounds } = this.#tables;
    let before: number | undefined;
    await this.#write(claim, async ({ id }, row, sealed) => {
      // Nothing came of the first try: it did not fit. Something did: its answer was lost.
      if (row.events === before) throw callIsFull(claim.name, bounds);
      if (before !== undefined) return row;
      before = row.events;
      const body = sealed.seal(`event ${row.events}`, events);
      const values = [id, claim.fence, row.events, replace === true, body, bounds.callBytes];
      const done = await database.again(statements.appendEvents, values);
      return done.length === 0 ? undefined : { ...row, events: row.events + 1 };
    });
  }

  async renew(claim: Claim): Promise<void> {
    const { database, statements, now } = this.#tables;
    await this.#with(claim, async ({ id }) => {
      const there = await database.again(statements.renew, [id, claim.fence, now()]);
      if (there.length === 0) throw this.#lost(claim);
    });
  }

  async release(claim: Claim): Promise<void> {
    const { database, statements, now } = this.#tables;
    try {
      await this.#with(claim, async ({ id }) => {
        const which = [id, claim.fence, now()];
        await database.again(statements.release, which).catch((error: unknown) => {
          // Or nobody goes on with it before it lapses, when the database is long back.
          this.#later(() => database.again(statements.release, which));
          throw error;
        });
      });
    } finally {
      this.#held.delete(claim.fence);
    }
  }

  /** Runs one piece of work on a held call, behind what was asked for before. */
  async #with<T>(claim: Claim, work: (held: Held) => Promise<T>): Promise<T> {
    const { fence, name } = claim;
    const sealer = await this.#tables.sealer();
    const held =
      this.#held.get(fence) ?? this.#keep({ id: sealer.idOf(name), fence, sealed: undefined }, undefined);
    const done = held.turn.then(() => work(held));
    held.turn = done.catch(() => {});
    return await done;
  }

  /** Writes what `next` makes of the row; `undefined` from it says that it was another. */
  async #write(
    claim: Claim,
    next: (held: Held, row: HeldRow, sealed: SealedCall) => Promise<HeldRow | undefined>,
  ): Promise<void> {
    await this.#with(claim, async (held) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const row = held.row ?? (await this.#row(held, claim));
        held.sealed ??= (await this.#tables.sealer()).of({ ...row, id: held.id });
        held.row = undefined;
        held.row = await next(held, row, held.sealed);
        if (held.row) return;
      }
      throw new Error(`the call ${held.id.toString('hex')} changes faster than it can be written`);
    });
  }

  async #row({ id }: Held, claim: Claim): Promise<HeldRow> {
    const { database, statements } = this.#tables;
    const [row] = await database.again<HeldRow>(statements.facts, [id, claim.fence]);
    if (!row) throw this.#lost(claim);
    return row;
  }

  /** Asks for a hold. */
  async #asking<T>(id: Buffer, ask: () => Promise<T>): Promise<T> {
    const asked = { id };
    this.#asked.add(asked);
    try {
      return await ask();
    } finally {
      this.#asked.delete(asked);
    }
  }

  /** Gives a call back that this process holds without knowing it: the answer to a claim was lost, and nobody else gets it before it lapses. */
  async #giveBackUnheard(id: Buffer, owner: number): Promise<void> {
    const { database, statements, now } = this.#tables;
    const [found] = await database.again<{ fence: number }>(statements.holding, [id, owner]);
    if (!found || this.#held.has(found.fence)) return;
    if ([...this.#asked].some((asked) => asked.id.equals(id)))
      throw new Error('it may be the hold that is just asked for');
    await database.again(statements.release, [id, found.fence, now()]);
  }

  /** Does later what takes something back, though nobody waits for it; again, while it fails. */
  #later(takeBack: () => Promise<unknown>, tries = BACK): void {
    setTimeout(() => {
      takeBack().catch(() => {
        if (tries > 1) this.#later(takeBack, tries - 1);
      });
    }, SOON).unref();
  }

  #keep(held: Pick<Held, 'id' | 'fence' | 'sealed'>, row: HeldRow | undefined): Held {
    const kept = { ...held, row, turn: Promise.resolve() };
    this.#held.set(held.fence, kept);
    return kept;
  }

  #lost({ name, fence }: Claim): Error {
    this.#held.delete(fence);
    return new ClaimLostError({ callId: name.callId });
  }
}
