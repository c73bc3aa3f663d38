import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { Append } from '../runtime/journal/call-store.ts';

/** What one has to know of a call to write to it, beside its content. */
export interface CallFacts {
  /** How many lines it has. */
  readonly lines: number;
  /** Milliseconds since the epoch. */
  readonly due: number | null;
  readonly ended: boolean;
}

/** What there is before the first write. */
export const NOTHING: CallFacts = { lines: 0, due: null, ended: false };

/** What an append makes of a call. */
export interface Written extends CallFacts {
  /** Those of its lines that are new: a writer who does not know what came of one brings it again. */
  readonly added: readonly JsonValue[];
}

/** @throws `RangeError` when lines between are missing */
export function written(
  before: CallFacts,
  { at, lines = [], due = before.due, ended }: Omit<Append, 'release' | 'taken'>,
): Written {
  if (at > before.lines) {
    throw new RangeError(
      `an append at line ${at}, where there are ${before.lines}: lines between are missing`,
    );
  }
  const added = lines.slice(before.lines - at);
  const isEnded = before.ended || ended === true;
  return { added, lines: before.lines + added.length, due: isEnded ? null : wholeTime(due), ended: isEnded };
}

/** Databases keep whole numbers, and none that is longer. */
function wholeTime(due: number | null): number | null {
  return due === null ? null : Math.min(Math.ceil(due), Number.MAX_SAFE_INTEGER);
}

/** Notes after others were written over them. */
export function noted(before: JsonObject, notes: JsonObject = {}): JsonObject {
  const all = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(notes)) {
    if (value === null || value === undefined) all.delete(name);
    else all.set(name, value);
  }
  return Object.fromEntries(all);
}
