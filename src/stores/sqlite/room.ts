import { crowd, type Load } from '../../runtime/data/crowd.ts';
import type { StoreBounds } from '../bounds.ts';
import { gaveWay, storeIsFull } from '../full.ts';
import { hex } from '../sealed.ts';
import type { SqliteDatabase, Value } from './database.ts';

/** Whether a process holds a call now. */
type IsHeld = (hold: { readonly owner: string | null; readonly touched: number }) => boolean;

interface HoldRow {
  readonly id: Uint8Array;
  readonly owner: string | null;
  readonly touched: number;
}

interface LoadRow extends Load {
  readonly principal: Uint8Array;
}

/** Makes room for one more call of a principal, by its digest. Gives what was said of those that gave way. @throws `StoreFullError` */
export function makeRoom(
  db: SqliteDatabase,
  principal: Uint8Array,
  bytes: number,
  bounds: Required<StoreBounds>,
  isHeld: IsHeld,
): readonly Error[] {
  const who = hex(principal);
  const told: Error[] = [];
  for (;;) {
    const loads = db.all<LoadRow>('select principal, calls, bytes from loads');
    const byName = new Map(loads.map((load) => [hex(load.principal), load]));
    const full = crowd(byName, who, { calls: 1, bytes }, bounds);
    if (!full) return told;
    const ended = full.own ? 'ended is not null and principal = ?' : 'ended is not null';
    if (dropFirst(db, isHeld, `${ended} order by ended`, ...(full.own ? [principal] : []))) continue;
    const oldest = 'principal = ? order by touched';
    if (!full.most.some((most) => dropFirst(db, isHeld, oldest, Buffer.from(most, 'hex'))))
      throw storeIsFull(full.full);
    told.push(gaveWay(full.full));
  }
}

/** Throws away what nobody has touched since. */
export function sweep(db: SqliteDatabase, since: number, isHeld: IsHeld): void {
  const old = db.all<HoldRow>('select id, owner, touched from calls where touched <= ?', since);
  for (const row of old) if (!isHeld(row)) drop(db, row);
  // What they took up is given back to the disk.
  db.run('pragma incremental_vacuum');
}

/** Throws away the first of some that nobody holds. */
function dropFirst(db: SqliteDatabase, isHeld: IsHeld, which: string, ...values: Value[]): boolean {
  let found: HoldRow | undefined;
  for (const row of db.each<HoldRow>(`select id, owner, touched from calls where ${which}`, ...values)) {
    if (isHeld(row)) continue;
    found = row;
    break;
  }
  if (found) drop(db, found);
  return found !== undefined;
}

function drop(db: SqliteDatabase, { id }: HoldRow): void {
  db.run('delete from calls where id = ?', id);
}
