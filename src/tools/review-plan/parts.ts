import * as z from 'zod';

/** A part of a document that is judged by itself: a heading, a paragraph, an item of a list, a table, a block of code. */
export const part = z.object({ from: z.int(), to: z.int(), text: z.string() });

/** A part, with its first and last line, from 1. */
export type Part = z.infer<typeof part>;

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^\s*([-*+]|\d+[.)])\s/;
const HEADING = /^#{1,6}\s/;
const ROW = /^\s*\|/;

/** The parts of a Markdown text, in order; blank lines are between them. */
export function partsOf(document: string): Part[] {
  const lines = document.split(/\r\n|\r|\n/);
  const parts: Part[] = [];
  let at = 0;
  while (at < lines.length) {
    const first = lines[at] ?? '';
    if (first.trim() === '') {
      at++;
      continue;
    }
    const end = endOf(lines, at, first);
    parts.push({ from: at + 1, to: end, text: lines.slice(at, end).join('\n') });
    at = end;
  }
  return parts;
}

/** The line after the part that begins here. */
function endOf(lines: readonly string[], at: number, first: string): number {
  const [, fence] = FENCE.exec(first) ?? [];
  if (fence !== undefined) {
    const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(fence));
    return close === -1 ? lines.length : close + 1;
  }
  if (HEADING.test(first)) return at + 1;
  const isRow = ROW.test(first);
  const end = lines.findIndex(
    (line, index) =>
      index > at &&
      (line.trim() === '' ||
        FENCE.test(line) ||
        HEADING.test(line) ||
        ITEM.test(line) ||
        (ROW.test(line) && !isRow)),
  );
  return end === -1 ? lines.length : end;
}

/** The document with some parts written anew, by their first lines; everything else stays as it is, to the letter. */
export function withEdits(document: string, edits: ReadonlyMap<number, string>): string {
  const newline = /\r\n|\r|\n/.exec(document)?.[0] ?? '\n';
  const lines = document.split(/\r\n|\r|\n/);
  const parts = partsOf(document).filter(({ from }) => edits.has(from));
  for (const { from, to } of parts.reverse()) {
    const text = edits.get(from) ?? '';
    lines.splice(from - 1, to - from + 1, ...(text === '' ? [] : text.split(/\r\n|\r|\n/)));
  }
  return lines.join(newline);
}
