import { parseSync } from 'vite';

/** One row of the table. */
export interface Row {
  readonly name: string;
  readonly now: number;
  /** More fails. */
  readonly limit: number;
  /** Where it is to come. */
  readonly end: number;
}

/** The lines of a file that are neither blank nor comment; 0 for what is no code. */
export function codeLines(file: string, text: string): number {
  if (/\.css$/.test(file)) return lines(text.replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  if (!/\.[mc]?[jt]sx?$/.test(file)) return 0;
  let code = '';
  let at = 0;
  for (const { start, end } of parseSync(file, text).comments) {
    code += text.slice(at, start);
    at = end;
  }
  return lines(code + text.slice(at));
}

/** The words of a page. */
export function words(file: string, text: string): number {
  return /\.md$/.test(file) ? (text.match(/\S+/g) ?? []).length : 0;
}

/** How many of these patterns occur in any of these texts. */
export function inUse(patterns: readonly string[], texts: readonly string[]): number {
  return patterns
    .map((pattern) => new RegExp(pattern))
    .filter((pattern) => texts.some((text) => pattern.test(text))).length;
}

function lines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Whether a row is more than it may be. */
export function overLimit({ now, limit }: Row): boolean {
  return now > limit;
}

/** The rows, below each other. */
export function table(rows: readonly Row[]): string {
  const cells = [
    ['row', 'now', 'limit', 'end'],
    ...rows.map(({ name, ...numbers }) => [name, ...Object.values(numbers).map(String)]),
  ];
  const width = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  return cells
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(width(at)) : cell.padStart(width(at)))).join('  '),
    )
    .join('\n');
}
