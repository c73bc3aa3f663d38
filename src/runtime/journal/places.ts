import type { JournalLine } from './lines.ts';

/** What has a place among the others of its kind. */
export type Placeable = 'elicit' | 'sample' | 'roots' | 'step' | 'sleep';

/** The place of an ask: its number among those of its kind, its id, and its key on the 2026-07-28 wire. */
export interface JournalPlace {
  readonly seq: number;
  readonly id: string;
  readonly wireKey: string;
}

/** Gives ids and wire keys, and none of them twice: not after a replay, and not after a rewind either. */
export class Places {
  readonly #counts: Record<Placeable, number> = { elicit: 0, sample: 0, roots: 0, step: 0, sleep: 0 };
  #names: Map<string, number> | undefined;

  /** The place of the next ask of this kind. */
  next(kind: Placeable, name: string | undefined): JournalPlace {
    const seq = ++this.#counts[kind];
    // One count for each name, so that a key called like a kind never makes the same wire key twice.
    const base = name ?? kind;
    this.#names ??= new Map();
    const nth = (this.#names.get(base) ?? 0) + 1;
    this.#names.set(base, nth);
    return { seq, id: `${kind}-${seq}`, wireKey: name !== undefined && nth === 1 ? name : `${base}#${nth}` };
  }

  /** The id of the next step or sleep. */
  nextId(kind: 'step' | 'sleep'): string {
    return `${kind}-${++this.#counts[kind]}`;
  }

  /** Whether an id of this form was given to something. */
  has(id: string): boolean {
    const [kind, seq] = partsOf(id);
    return kind !== undefined && seq <= this.#counts[kind];
  }

  /** Takes note of everything that has a place in these lines, whether or not a rewind left it out. */
  restore(lines: readonly JournalLine[]): void {
    this.#names ??= new Map();
    for (const line of lines) {
      if (line.t !== 'open' && line.t !== 'step' && line.t !== 'timer') continue;
      const [kind, seq] = partsOf(line.id);
      if (kind !== undefined) this.#counts[kind] = Math.max(this.#counts[kind], seq);
      if (line.t !== 'open') continue;
      const base = line.name ?? line.kind;
      const nth = line.key === base ? 1 : Number(line.key.slice(base.length + 1));
      this.#names.set(base, Math.max(this.#names.get(base) ?? 0, nth));
    }
  }
}

/** The number of an id. */
export function seqOf(id: string): number {
  return partsOf(id)[1];
}

function partsOf(id: string): [Placeable | undefined, number] {
  const [, kind, seq] = /^(elicit|sample|roots|step|sleep)-([1-9]\d*)$/.exec(id) ?? [];
  return [kind as Placeable | undefined, Number(seq)];
}
