import type { JsonValue } from '../../core/messages/json.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type {
  CallName,
  CallSummary,
  DueCall,
  ListOptions,
  StoredCall,
} from '../../runtime/journal/call-store.ts';
import { contentOf, factsOf, type StoredEntry } from '../entries.ts';
import type { SealedEntries } from './sealed.ts';
import type { CallFacts, Tables } from './tables.ts';

interface SealedRow extends Pick<CallFacts, 'key' | 'salt'> {
  readonly id: Buffer;
  readonly body: Buffer;
}

/** A call's row with all of its entries. */
export interface WholeRow extends Pick<CallFacts, 'key' | 'salt' | 'entries'> {
  readonly touched: number;
  readonly inbox: number;
  /** Each behind its length. */
  readonly bodies: Buffer | null;
}

interface SeenRow extends WholeRow {
  readonly held: boolean;
}

/** A call with its lines. */
export async function readKept(tables: Tables, name: CallName): Promise<StoredCall | undefined> {
  const { database, statements, now } = tables;
  const sealer = await tables.sealer();
  const id = sealer.idOf(name);
  const [row] = await database.again<SeenRow>(statements.read, [id, now(), await tables.space()]);
  return row && storedIn(sealer.of({ ...row, id }, 'journal'), row, row.held);
}

/** The events of a call. */
export async function readKeptEvents(tables: Tables, name: CallName): Promise<readonly JsonValue[]> {
  const { database, statements } = tables;
  const sealer = await tables.sealer();
  const rows = await database.again<SealedRow & { readonly seq: number }>(statements.readEvents, [
    sealer.idOf(name),
  ]);
  const [first] = rows;
  if (!first) return [];
  const events = sealer.of(first, 'events');
  // What opens was written by a store: a list for each append.
  return rows.flatMap(({ seq, body }) => events.open(seq, body) as readonly JsonValue[]);
}

/** The calls touched last, without their lines. */
export async function listKept(tables: Tables, options: ListOptions): Promise<readonly CallSummary[]> {
  const { principal, conversation, ended = null, limit = 100, before = null } = options;
  const { database, statements, now, onProblem } = tables;
  const sealer = await tables.sealer();
  const digest = (text: string | undefined) => (text === undefined ? null : sealer.digest(text));
  const which = [digest(principal), digest(conversation), ended, before, limit];
  const values = [now(), await tables.space(), ...which];
  const rows = await database.again<SeenRow & Pick<SealedRow, 'id'>>(statements.list, values);
  const list: CallSummary[] = [];
  for (const row of rows) {
    try {
      const { lines: _, ...summary } = storedIn(sealer.of(row, 'journal'), row, row.held);
      list.push(summary);
    } catch (error) {
      onProblem(error);
    }
  }
  return list;
}

/** The calls that somebody should take up. */
export async function dueCalls(tables: Tables, limit: number): Promise<readonly DueCall[]> {
  const { database, statements, now, onProblem } = tables;
  const sealer = await tables.sealer();
  const values = [now(), await tables.space(), limit];
  const rows = await database.again<SealedRow & Pick<DueCall, 'why'>>(statements.due, values);
  const due = new Map<string, DueCall>();
  for (const row of rows) {
    try {
      const begin = sealer.of(row, 'journal').open(0, row.body) as StoredEntry<true>;
      if (begin.t !== 'begin') continue;
      const key = callKey(begin.name);
      if (due.size < limit && !due.has(key)) due.set(key, { name: begin.name, why: row.why });
    } catch (error) {
      onProblem(error);
    }
  }
  return [...due.values()];
}

/** What the row of a call tells. @throws `StoreDamagedError` */
export function storedIn(journal: SealedEntries, row: WholeRow, held: boolean): StoredCall {
  const bodies = bodiesIn(row);
  // What opens was written by a store.
  const entries = bodies.map((body, place) => journal.open(place, body) as StoredEntry<true>);
  const content = contentOf(entries);
  if (!content || entries.length !== row.entries) throw journal.damaged('entries are missing');
  const { lineCount, due, ended } = factsOf(entries);
  const size = bodies.reduce((sum, { length }) => sum + length, 0);
  const { inbox, touched } = row;
  return { ...content, lineCount, inbox, due, ended, held, touched, size };
}

/** The entries of a row, sealed, in their order. */
export function bodiesIn({ bodies }: WholeRow): readonly Buffer[] {
  const list: Buffer[] = [];
  for (let at = 0; bodies && at < bodies.length; ) {
    const end = at + 4 + bodies.readInt32BE(at);
    list.push(bodies.subarray(at + 4, end));
    at = end;
  }
  return list;
}
