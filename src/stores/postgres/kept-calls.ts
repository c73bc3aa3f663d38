import type { JsonValue } from '../../core/messages/json.ts';
import type {
  CallName,
  CallSummary,
  DueCall,
  ListOptions,
  StoredCall,
} from '../../runtime/journal/call-store.ts';
import { callKey } from '../call-key.ts';
import { contentOf, factsOf, type StoredEntry } from '../entries.ts';
import type { SealedEntries } from './sealed.ts';
import type { CallFacts, Tables } from './tables.ts';

interface SealedRow extends Pick<CallFacts, 'key' | 'salt'> {
  readonly id: Buffer;
  readonly body: Buffer;
}

/** A call's row with one of its entries. */
export interface CallRow extends CallFacts, SealedRow {
  readonly touched: number;
  readonly held: boolean;
  readonly seq: number;
}

/** A call with its lines. */
export async function readKept(tables: Tables, name: CallName): Promise<StoredCall | undefined> {
  const { database, statements, now } = tables;
  const sealer = await tables.sealer();
  const values = [sealer.idOf(name), now(), await tables.space()];
  const rows = await database.again<CallRow>(statements.read, values);
  return rows[0] && storedIn(sealer.of(rows[0], 'journal'), rows);
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
  const rows = await database.again<CallRow>(statements.list, [now(), await tables.space(), ...which]);
  const list: CallSummary[] = [];
  for (const of of grouped(rows)) {
    try {
      const [first] = of;
      const stored = first && storedIn(sealer.of(first, 'journal'), of);
      if (!stored) continue;
      const { lines: _, ...summary } = stored;
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

/** What the rows of a call tell. @throws `StoreDamagedError` */
export function storedIn(journal: SealedEntries, rows: readonly CallRow[]): StoredCall | undefined {
  const [first] = rows;
  if (!first) return undefined;
  // What opens was written by a store.
  const entries = rows.map(({ body }, place) => journal.open(place, body) as StoredEntry<true>);
  const content = contentOf(entries);
  if (!content || entries.length !== first.entries) throw journal.damaged('entries are missing');
  const { lineCount, due, ended } = factsOf(entries);
  return { ...content, lineCount, due, ended, held: first.held, touched: first.touched, size: first.size };
}

/** The rows of each call, in their order. */
function grouped(rows: readonly CallRow[]): readonly (readonly CallRow[])[] {
  const groups: CallRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.id.equals(row.id)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
