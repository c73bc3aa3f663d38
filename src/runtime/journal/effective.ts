import type { JournalLine, LineOf } from './lines.ts';

/** A line that counts, and its number among all. */
export interface Counted {
  readonly line: JournalLine;
  readonly index: number;
}

/** The lines that count: what a rewind took back is left out, and so is how the call ended. */
export function effectiveLines(lines: readonly JournalLine[]): readonly Counted[] {
  let kept: Counted[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.t === 'rewind') kept = kept.filter((one) => one.index < line.keep);
    else if (line.t !== 'undo' && line.t !== 'end') kept.push({ line, index });
  }
  return kept;
}

/** A rewind whose steps have not all been taken back: its process died meanwhile. */
export function unfinishedRewind(
  lines: readonly JournalLine[],
):
  | { readonly rewind: LineOf<'rewind'>; readonly index: number; readonly left: readonly string[] }
  | undefined {
  const index = lines.findLastIndex(({ t }) => t === 'rewind');
  const rewind = lines[index];
  if (rewind?.t !== 'rewind') return undefined;
  const done = new Set(lines.slice(index).flatMap((line) => (line.t === 'undo' ? [line.id] : [])));
  const left = rewind.undo.filter((id) => !done.has(id));
  return left.length > 0 ? { rewind, index, left } : undefined;
}
