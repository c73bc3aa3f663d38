import type { JsonValue } from '../../core/messages/json.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type {
  CallName,
  CallSummary,
  DueCall,
  ListOptions,
  StoredCall,
} from '../../runtime/journal/call-store.ts';
import { headIn, notesIn, type Seal, type SealedCall } from '../sealed.ts';
import type { CallFacts } from '../written.ts';
import type { Tables } from './tables.ts';

/** A call's row without its entries. */
export interface SummaryRow extends Seal, CallFacts {
  /** The number of its next entry. */
  readonly entries: number;
  readonly head: Buffer;
  readonly notes: Buffer;
  readonly size: number;
  readonly inbox: number;
  readonly touched: number;
}

/** A call's row with all of its entries. */
export interface WholeRow extends SummaryRow {
  /** Each behind its number and length. */
  readonly bodies: Buffer | null;
}

interface Seen {
  readonly held: boolean;
}

/** A call with its lines. */
export async function readKept(tables: Tables, name: CallName): Promise<StoredCall | undefined> {
  const { database, statements, now } = tables;
  const sealer = await tables.sealer();
  const values = [sealer.idOf(name), now(), await tables.space()];
  const [row] = await database.again<WholeRow & Seen>(statements.read, values);
  return row && storedIn(sealer.of(row), row, row.held);
}

/** The events of a call. */
export async function readKeptEvents(tables: Tables, name: CallName): Promise<readonly JsonValue[]> {
  const { database, statements } = tables;
  const sealer = await tables.sealer();
  const rows = await database.again<Seal & { readonly seq: number; readonly body: Buffer }>(
    statements.readEvents,
    [sealer.idOf(name)],
  );
  const [first] = rows;
  const sealed = first && sealer.of(first);
  return sealed ? rows.flatMap(({ seq, body }) => sealed.open(`event ${seq}`, body)) : [];
}

/** The calls touched last, without their lines. */
export async function listKept(tables: Tables, options: ListOptions): Promise<readonly CallSummary[]> {
  const { principal, conversation, ended = null, limit = 100, before = null } = options;
  const { database, statements, now, onProblem } = tables;
  const sealer = await tables.sealer();
  const digest = (text: string | undefined) => (text === undefined ? null : sealer.digest(text));
  const which = [digest(principal), digest(conversation), ended, before, limit];
  const values = [now(), await tables.space(), ...which];
  const rows = await database.again<SummaryRow & Seen>(statements.list, values);
  const list: CallSummary[] = [];
  for (const row of rows) {
    try {
      list.push(summaryIn(sealer.of(row), row, row.held));
    } catch (error) {
      onProblem(error);
    }
  }
  return list;
}

/** The calls that a process should take up. */
export async function dueCalls(tables: Tables, limit: number): Promise<readonly DueCall[]> {
  const { database, statements, now, onProblem } = tables;
  const sealer = await tables.sealer();
  const values = [now(), await tables.space(), limit];
  const rows = await database.again<Seal & Pick<SummaryRow, 'head'> & Pick<DueCall, 'why'>>(
    statements.due,
    values,
  );
  const due = new Map<string, DueCall>();
  for (const row of rows) {
    try {
      const { name } = headIn(sealer.of(row), row);
      const key = callKey(name);
      if (due.size < limit && !due.has(key)) due.set(key, { name, why: row.why });
    } catch (error) {
      onProblem(error);
    }
  }
  return [...due.values()];
}

/** What the row of a call tells. @throws `StoreDamagedError` */
export function storedIn(sealed: SealedCall, row: WholeRow, held: boolean): StoredCall {
  const lines = linesIn(sealed, row);
  if (lines.length !== row.lines) throw sealed.damaged('lines are missing');
  return { ...summaryIn(sealed, row, held), lines };
}

/** The lines of a row. Where another process wrote while it was read, some may be missing. @throws `StoreDamagedError` */
export function linesIn(sealed: SealedCall, { bodies }: WholeRow): readonly JsonValue[] {
  const lines: JsonValue[] = [];
  for (let at = 0; bodies && at < bodies.length; ) {
    const [seq, start] = [bodies.readInt32BE(at), at + 8];
    const end = start + bodies.readInt32BE(at + 4);
    // What opens was written by `append`: a list.
    lines.push(...(sealed.open(`entry ${seq}`, bodies.subarray(start, end)) as readonly JsonValue[]));
    at = end;
  }
  return lines;
}

function summaryIn(sealed: SealedCall, row: SummaryRow, held: boolean): CallSummary {
  const { lines: lineCount, inbox, ended, touched, size } = row;
  const rest = { lineCount, inbox, due: row.due ?? undefined, ended, held, touched, size };
  return { ...headIn(sealed, row), notes: notesIn(sealed, row), ...rest };
}
