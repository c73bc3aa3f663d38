import type { Measured } from './measure.ts';

/** One line of the table. `target` is the largest figure that is good enough. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly target?: string;
  readonly met?: boolean;
}

/** A ratio against another way to do the same. */
export function ratioRow(what: string, ratio: number, target?: number, note = ''): Row {
  const figure = `${ratio.toFixed(2)}×${note === '' ? '' : ` (${note})`}`;
  return target === undefined
    ? { what, figure }
    : { what, figure, target: `≤ ${target.toFixed(2).replace(/0$/, '')}×`, met: ratio <= target };
}

/** A figure that may not be larger than a number. */
export function limitRow(what: string, value: number, most: number, unit: string): Row {
  return {
    what,
    figure: `${value.toFixed(value < 20 ? 2 : 0)} ${unit}`,
    target: `≤ ${most} ${unit}`,
    met: value <= most,
  };
}

/** A line for each contender against the first. */
export function againstFirst(job: string, measured: readonly Measured[]): readonly Row[] {
  return measured.map(({ name, ms, ratio }) => ({
    what: `${job}: ${name}`,
    figure: `${(ms * 1000).toFixed(1)} µs, ${ratio.toFixed(2)}×`,
  }));
}

/** Prints a table that is also Markdown. */
export function print(title: string, rows: readonly Row[]): void {
  const lines = [
    ['what', 'figure', 'target', ''],
    ...rows.map(({ what, figure, target, met }) => [
      what,
      figure,
      target ?? '',
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const draw = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  console.log(`\n## ${title}\n`);
  console.log(draw(head));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const line of body) console.log(draw(line));
}
