import * as z from 'zod';
import type { ProposedEdit } from './edits.ts';

/** One line of a diff; `line` is its number, counted from 1, in the text that it is of. */
export const hunkLine = z.object({
  kind: z.enum(['same', 'removed', 'added']),
  line: z.int(),
  text: z.string(),
});

/** One line of a diff. */
export type HunkLine = z.infer<typeof hunkLine>;

/** Lines around a change. */
const AROUND = 3;

/** What an edit does to whole lines of the text, with a few lines around it. Line numbers are those before any edit. */
export function hunkOf(text: string, { from, to, text: replacement }: ProposedEdit): HunkLine[] {
  const lines = text.split('\n');
  const first = text.slice(0, from).split('\n').length - 1;
  const last = text.slice(0, to).split('\n').length - 1;
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = endOfLine(text, to);
  const before = lines.slice(first, last + 1);
  const after = `${text.slice(lineStart, from)}${replacement}${text.slice(to, lineEnd)}`.split('\n');

  // A model repeats lines to name the place: what stays the same is no change.
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const start = first + head;
  const end = last + 1 - tail;
  const same = (from: number, to: number) =>
    lines.slice(from, to).map((line, at): HunkLine => ({ kind: 'same', line: from + at + 1, text: line }));

  return [
    ...same(Math.max(0, start - AROUND), start),
    ...lines
      .slice(start, end)
      .map((line, at): HunkLine => ({ kind: 'removed', line: start + at + 1, text: line })),
    ...after
      .slice(head, after.length - tail)
      .map((line, at): HunkLine => ({ kind: 'added', line: start + at + 1, text: line })),
    // What follows the last line break is no line.
    ...same(end, Math.min(end + AROUND, lines.at(-1) === '' ? lines.length - 1 : lines.length)),
  ];
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
