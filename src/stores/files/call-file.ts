import { advance, factsOf, type StoredEntry, type StoredFacts } from '../entries.ts';
import type { Lapses } from '../lapses.ts';
import type { CallPaths } from './layout.ts';
import { type Appended, appendLog, type LogFile, readLog, type Sealing } from './log-file.ts';
import { isDead, type Owner } from './owner.ts';

/** What stands in a journal's file. */
export type FileEntry = StoredEntry<Owner>;

/** The journal of a call as somebody has seen it. */
export interface CallFile {
  readonly paths: CallPaths;
  readonly sealing: Sealing;
  readonly log: LogFile;
  facts: StoredFacts<Owner>;
}

/** A journal, read whole and opened. `touched` is milliseconds since the epoch. */
export interface ReadCall extends CallFile {
  readonly entries: readonly FileEntry[];
  readonly touched: number;
}

/** Reads a journal; `undefined` when there is none, or its beginning was never finished. */
export async function readCall(paths: CallPaths, sealing: Sealing): Promise<ReadCall | undefined> {
  const read = await readLog(paths.journal, sealing);
  if (!read) return undefined;
  // What opens was written by a store.
  const entries = read.values as readonly FileEntry[];
  if (entries[0]?.t !== 'begin') return undefined;
  return { paths, sealing, log: read.log, facts: factsOf(entries), entries, touched: read.touched };
}

/**
 * Writes one more entry. A claim, and its end, fit into a journal that is full. A claim need not survive a power failure: who made it does
 * not, either, and whatever it writes takes the claim along.
 *
 * @param first what has to have happened before the entry is written
 */
export async function write(call: CallFile, entry: FileEntry, first?: Promise<unknown>): Promise<Appended> {
  const most = entry.t === 'append' ? call.sealing.most : Number.POSITIVE_INFINITY;
  const durable = call.sealing.durable && entry.t !== 'claim';
  const appended = await appendLog(call.log, { ...call.sealing, most, durable }, entry, first);
  if (appended === 'written') call.facts = advance(call.facts, entry);
  return appended;
}

/** Whether somebody holds a call now. */
export function isHeld({ facts, touched }: Pick<ReadCall, 'facts' | 'touched'>, lapses: Lapses): boolean {
  return facts.owner !== undefined && !lapses.isOver(touched) && !isDead(facts.owner);
}
