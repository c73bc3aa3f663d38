import type { JournalLine, LineOf } from './lines.ts';
import { type Asked, fingerprint, firstWords } from './said.ts';

/** A line, or what becomes one when somebody wants to read it: most calls are never written down. */
export type JournalEntry = JournalLine | OpenEntry;

interface OpenFacts extends Asked {
  readonly id: string;
  readonly key: string;
  readonly ms: number;
  readonly branches: readonly number[] | undefined;
  readonly within: string | undefined;
}

/** An ask that opened. Its fingerprint is made when it is first read. */
export class OpenEntry {
  readonly t = 'open';
  readonly id: string;
  readonly #facts: OpenFacts;
  #line: LineOf<'open'> | undefined;

  constructor(facts: OpenFacts) {
    this.id = facts.id;
    this.#facts = facts;
  }

  get line(): LineOf<'open'> {
    this.#line ??= lineOf(this.#facts);
    return this.#line;
  }
}

function lineOf(facts: OpenFacts): LineOf<'open'> {
  const { id, kind, key, name, depth, ms, branches, within, said } = facts;
  return {
    t: 'open',
    id,
    kind,
    key,
    ...(name === undefined ? {} : { name }),
    depth,
    ...(within === undefined ? {} : { within }),
    print: fingerprint(facts),
    says: firstWords(said),
    ms,
    ...(branches === undefined ? {} : { branches: [...branches] }),
  };
}

/** An entry as a line. */
export function lineIn(entry: JournalEntry): JournalLine {
  return entry instanceof OpenEntry ? entry.line : entry;
}

/**
 * Whether a step runs, or is about to, or a sleep is over: a call that were put away now would have to do that again.
 *
 * @param durable what is written
 * @param queued what is about to be: a step begins with its line, and its outcome counts once that is written
 * @param now milliseconds since the epoch
 */
export function isAtWork(
  durable: readonly JournalEntry[],
  queued: readonly JournalEntry[],
  now: number,
): boolean {
  const open = new Map<string, number>();
  const begin = (entry: JournalEntry) => {
    if (entry.t === 'step') open.set(entry.id, 0);
    else if (entry.t === 'timer') open.set(entry.id, entry.due);
    else return false;
    return true;
  };
  for (const entry of durable) {
    if (!begin(entry) && 'id' in entry && entry.id !== undefined) open.delete(entry.id);
  }
  for (const entry of queued) begin(entry);
  return [...open.values()].some((due) => due <= now);
}
