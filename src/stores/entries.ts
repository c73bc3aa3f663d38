import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { Append, CallName, NewCall } from '../runtime/journal/call-store.ts';

/** What is written of a call, in order: a call is what its entries say. `O` is what a store knows of who holds it. */
export type StoredEntry<O> =
  | ({ readonly t: 'begin'; readonly owner: O } & NewCall)
  | ({ readonly t: 'append' } & Omit<Append, 'taken' | 'release'>)
  | { readonly t: 'claim'; readonly fence: number; readonly owner: O }
  | { readonly t: 'release' };

/** What one has to know of a call to write to it: all of its entries, but none of its content. */
export interface StoredFacts<O> {
  readonly fence: number;
  /** Who took it up last and has not given it back. It may have lapsed. */
  readonly owner: O | undefined;
  readonly lineCount: number;
  readonly due: number | undefined;
  readonly ended: boolean;
}

/** A call as its entries tell it. */
export interface Content {
  readonly name: CallName;
  readonly header: JsonValue;
  readonly notes: JsonObject;
  readonly lines: readonly JsonValue[];
}

const NOTHING: StoredFacts<never> = {
  fence: 0,
  owner: undefined,
  lineCount: 0,
  due: undefined,
  ended: false,
};

/** The facts after one more entry. */
export function advance<O>(facts: StoredFacts<O>, entry: StoredEntry<O>): StoredFacts<O> {
  switch (entry.t) {
    case 'begin':
      return { ...facts, fence: 1, owner: entry.owner, ...written(entry, entry.lines?.length ?? 0, facts) };
    case 'append': {
      const lineCount = Math.max(facts.lineCount, entry.at + (entry.lines?.length ?? 0));
      return { ...facts, ...written(entry, lineCount, facts) };
    }
    case 'claim':
      return { ...facts, fence: entry.fence, owner: entry.owner };
    case 'release':
      return { ...facts, owner: undefined };
  }
}

/** The facts after all entries. */
export function factsOf<O>(entries: readonly StoredEntry<O>[]): StoredFacts<O> {
  return entries.reduce<StoredFacts<O>>(advance, NOTHING);
}

/** What the entries hold; `undefined` without a beginning. */
export function contentOf<O>(entries: readonly StoredEntry<O>[]): Content | undefined {
  const [begin] = entries;
  if (begin?.t !== 'begin') return undefined;
  const lines: JsonValue[] = [];
  const notes = new Map<string, JsonValue>();
  for (const entry of entries) {
    if (entry.t !== 'begin' && entry.t !== 'append') continue;
    for (const [name, value] of Object.entries(entry.notes ?? {})) {
      if (value === null || value === undefined) notes.delete(name);
      else notes.set(name, value);
    }
    for (const line of entry.lines ?? []) lines.push(line);
  }
  return { name: begin.name, header: begin.header, notes: Object.fromEntries(notes), lines };
}

/**
 * What of an append is new: a writer who does not know what came of one brings it again.
 *
 * @throws `RangeError` when lines between are missing
 */
export function newIn(
  what: Append,
  { lineCount }: { readonly lineCount: number },
): Omit<Append, 'taken' | 'release'> {
  if (what.at > lineCount) {
    throw new RangeError(
      `an append at line ${what.at}, where there are ${lineCount}: lines between are missing`,
    );
  }
  const lines = what.lines?.slice(lineCount - what.at) ?? [];
  const { lines: _, taken: __, release: ___, ...rest } = what;
  return { ...rest, at: lineCount, ...(lines.length > 0 ? { lines } : {}) };
}

function written(
  { due, ended }: Pick<Append, 'due' | 'ended'>,
  lineCount: number,
  before: { readonly due: number | undefined; readonly ended: boolean },
) {
  const isEnded = before.ended || ended === true;
  return { lineCount, ended: isEnded, due: isEnded || due === null ? undefined : (due ?? before.due) };
}
