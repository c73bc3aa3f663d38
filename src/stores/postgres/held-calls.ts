import { SessionExistsError } from '../../core/errors/session-errors.ts';
import { ClaimLostError } from '../../core/errors/store-errors.ts';
import { drawnBytes } from '../../runtime/data/drawn-bytes.ts';
import type {
  Append,
  CallName,
  Claim,
  ClaimOutcome,
  EventAppend,
  NewCall,
} from '../../runtime/journal/call-store.ts';
import { advance, newIn, type StoredEntry } from '../entries.ts';
import { callIsFull } from '../full.ts';
import { bodiesIn, readKept, storedIn, type WholeRow } from './kept-calls.ts';
import type { TableRoom } from './room.ts';
import type { SealedEntries } from './sealed.ts';
import type { CallFacts, Tables } from './tables.ts';

/** A call that this store holds: what it takes to write to it without reading it. */
interface Held {
  readonly id: Buffer;
  readonly fence: number;
  /** `undefined` when nobody knows what came of the last write. */
  facts: CallFacts | undefined;
  journal: SealedEntries | undefined;
  /** What was asked for last: one write at a time. */
  turn: Promise<unknown>;
}

/** What a claim gives. */
interface ClaimedRow extends WholeRow, Pick<CallFacts, 'fence' | 'events'> {}

/** What was written at once by the same process cannot be in its own way more often. */
const TRIES = 3;

/** How often, and how many milliseconds apart, what was taken back is tried again: as long as a claim lasts. */
const BACK = 30;
const SOON = 1_000;

/** The calls that this process holds, and all that one may do only while holding one. */
export class CallsHeldInTables {
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
    const { name, lines = [], due = null, ended = false } = call;
    const sealer = await this.#tables.sealer();
    const by = { id: sealer.idOf(name), key: sealer.current, salt: drawnBytes(16) };
    const entry: StoredEntry<true> = { t: 'begin', owner: true, ...call };
    const journal = sealer.of(by, 'journal');
    const body = journal.seal(0, entry);
    if (body.length > bounds.callBytes) throw callIsFull(name, bounds);
    const [principal, conversation] = [sealer.digest(name.principal), sealer.digest(name.conversation)];
    await this.#room.admit(principal, body.length);
    const { owner } = await database.owner();
    const who = [by.id, principal, conversation, by.key, by.salt, owner, now()];
    const values = [...who, ended ? null : due, ended, lines.length, body];
    return await this.#asking(by.id, async () => {
      const [row] = await database
        .again<{ fence: number }>(statements.begin, values)
        .catch((error: unknown) => {
          // Who began it was told that it did not begin: then nobody may find it later and go on with it.
          // Whatever this error is, the one of the try before may have hidden that it did.
          this.#later(() => database.again(statements.takeBack, [by.id, by.salt]));
          throw error;
        });
      if (!row) throw new SessionExistsError(name.callId);
      const { fence } = row;
      const rest = { ...by, fence, ended, due: ended ? null : due };
      this.#keep(
        { id: by.id, fence, journal },
        { ...rest, lines: lines.length, entries: 1, size: body.length, events: 0 },
      );
      return { name: { ...name }, fence };
    });
  }

  async claim(name: CallName): Promise<ClaimOutcome> {
    const { database, statements, now } = this.#tables;
    const sealer = await this.#tables.sealer();
    const id = sealer.idOf(name);
    const { owner, space } = await database.owner();
    const claimed = await this.#asking(id, async () => {
      const [row] = await database
        .once<ClaimedRow>(statements.claim, [id, owner, now(), space])
        .catch((error: unknown) => {
          this.#later(() => this.#giveBackUnheard(id, owner));
          throw error;
        });
      return row && { row, held: this.#keep({ id, fence: row.fence, journal: undefined }, undefined) };
    });
    if (!claimed) {
      const there = await database.again(statements.isThere, [id]);
      return { type: there.length > 0 ? 'held' : 'unknown' };
    }
    const { row, held } = claimed;
    const { key, salt, fence, entries, events } = row;
    const claim = { name: { ...name }, fence };
    try {
      held.journal = sealer.of({ id, key, salt }, 'journal');
      // Who gave it back while this waited for that has added what this did not see.
      const isWhole = bodiesIn(row).length === entries;
      const call = isWhole ? storedIn(held.journal, row, true) : await readKept(this.#tables, name);
      if (!call) return { type: 'unknown' };
      const { lineCount: lines, due = null, ended, size } = call;
      held.facts = { key, salt, fence, due, ended, lines, entries, size, events };
      return { type: 'claimed', claim, call };
    } catch (error) {
      await this.release(claim);
      throw error;
    }
  }

  async append(claim: Claim, what: Append): Promise<void> {
    const { database, statements, bounds, now } = this.#tables;
    const sealer = await this.#tables.sealer();
    await this.#write(claim, async ({ id }, facts, journal) => {
      const entry: StoredEntry<true> = {
        t: 'append',
        ...newIn(what, { lineCount: facts.lines }),
      };
      const before = {
        fence: facts.fence,
        owner: true as const,
        due: facts.due ?? undefined,
        ended: facts.ended,
      };
      const { lineCount, due, ended } = advance({ ...before, lineCount: facts.lines }, entry);
      const body = journal.seal(facts.entries, entry);
      const size = facts.size + body.length;
      if (size > bounds.callBytes) throw callIsFull(claim.name, bounds);
      const place = [id, claim.fence, facts.entries];
      const taken = what.taken?.map((message) => sealer.digest(message)) ?? [];
      const values = [...place, now(), due ?? null, lineCount, ended, body, what.release === true, taken];
      const written = await database.again(statements.append, values);
      if (written.length === 0) return undefined;
      return { ...facts, lines: lineCount, due: due ?? null, ended, entries: facts.entries + 1, size };
    });
    if (what.release) this.#held.delete(claim.fence);
  }

  async appendEvents(claim: Claim, { replace, events }: EventAppend): Promise<void> {
    const { database, statements, bounds } = this.#tables;
    const sealer = await this.#tables.sealer();
    let before: number | undefined;
    await this.#write(claim, async ({ id }, facts) => {
      // Nothing came of the first try: it did not fit. Something did: its answer was lost.
      if (facts.events === before) throw callIsFull(claim.name, bounds);
      if (before !== undefined) return facts;
      before = facts.events;
      const body = sealer.of({ ...facts, id }, 'events').seal(facts.events, events);
      const values = [id, claim.fence, facts.events, replace === true, body, bounds.callBytes];
      const written = await database.again(statements.appendEvents, values);
      return written.length === 0 ? undefined : { ...facts, events: facts.events + 1 };
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
      this.#held.get(fence) ?? this.#keep({ id: sealer.idOf(name), fence, journal: undefined }, undefined);
    const done = held.turn.then(() => work(held));
    held.turn = done.catch(() => {});
    return await done;
  }

  /** Writes what `next` makes of the facts; `undefined` from it says that they were not those. */
  async #write(
    claim: Claim,
    next: (held: Held, facts: CallFacts, journal: SealedEntries) => Promise<CallFacts | undefined>,
  ): Promise<void> {
    await this.#with(claim, async (held) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const facts = held.facts ?? (await this.#facts(held, claim));
        held.journal ??= (await this.#tables.sealer()).of({ ...facts, id: held.id }, 'journal');
        held.facts = undefined;
        held.facts = await next(held, facts, held.journal);
        if (held.facts) return;
      }
      throw new Error(`the call ${held.id.toString('hex')} changes faster than it can be written`);
    });
  }

  async #facts({ id }: Held, claim: Claim): Promise<CallFacts> {
    const { database, statements } = this.#tables;
    const [facts] = await database.again<CallFacts>(statements.facts, [id, claim.fence]);
    if (!facts) throw this.#lost(claim);
    return facts;
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

  #keep(held: Pick<Held, 'id' | 'fence' | 'journal'>, facts: CallFacts | undefined): Held {
    const kept = { ...held, facts, turn: Promise.resolve() };
    this.#held.set(held.fence, kept);
    return kept;
  }

  #lost({ name, fence }: Claim): Error {
    this.#held.delete(fence);
    return new ClaimLostError(name.callId);
  }
}
