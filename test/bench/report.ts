import { type Measured, median } from './measure.ts';

/** One line of the table. `target` is the largest figure that is good enough. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly target?: string;
  readonly met?: boolean;
}

/** What several rounds came to: least · median · most. Alone where there was one. */
export function spread(values: readonly number[], digits = 0): string {
  const shown = [Math.min(...values), median(values), Math.max(...values)].map((one) => one.toFixed(digits));
  return values.length === 1 ? (shown[0] ?? '') : shown.join(' · ');
}

/**
 * A ratio against another way to do the same, which was measured in the same rounds. Least and most are those of a round; in the middle is the
 * ratio of the two medians, so that it says the same as the figures beside it.
 */
export function ratioRow(
  what: string,
  own: readonly number[],
  base: readonly number[],
  { target, note = '' }: { readonly target?: number | undefined; readonly note?: string } = {},
): Row {
  const rounds = own.map((one, round) => one / (base[round] ?? Number.NaN));
  const ratio = median(own) / median(base);
  const shown = [Math.min(...rounds), ratio, Math.max(...rounds)].map((one) => one.toFixed(2)).join(' · ');
  const figure = `${shown}×${note === '' ? '' : ` (${note})`}`;
  return target === undefined
    ? { what, figure }
    : { what, figure, target: `≤ ${target.toFixed(2).replace(/0$/, '')}×`, met: ratio <= target };
}

/** A ratio of what was not measured in the same rounds: there is none of one round. In milliseconds. */
export function apartRow(what: string, own: readonly number[], base: readonly number[]): Row {
  const ratio = (median(own) / median(base)).toFixed(2);
  return { what, figure: `${ratio}× (${spread(own, 2)} ms against ${spread(base, 2)} ms)` };
}

/** A figure that may not be larger than a number. */
export function limitRow(what: string, values: readonly number[], most: number, unit: string): Row {
  const middle = median(values);
  return {
    what,
    figure: `${spread(values, middle < 20 ? 2 : 0)} ${unit}`,
    target: `≤ ${most} ${unit}`,
    met: middle <= most,
  };
}

/** A line for each contender. */
export function timeRows(job: string, measured: readonly Measured[]): readonly Row[] {
  return measured.map(({ name, ms }) => ({
    what: `${job}: ${name}`,
    figure: `${spread(inMicroseconds(ms), 1)} µs`,
  }));
}

/** A line for each contender, and a ratio against the first for each other one. */
export function againstFirst(job: string, measured: readonly Measured[], target?: number): readonly Row[] {
  const [first, ...others] = measured;
  return [
    ...timeRows(job, measured),
    ...others.map(({ name, ms }) =>
      ratioRow(`${job}: ${name}, against ${first?.name}`, ms, first?.ms ?? [], { target }),
    ),
  ];
}

/** From milliseconds; `each` is how many of the same were in one. */
export function inMicroseconds(ms: readonly number[], each = 1): readonly number[] {
  return ms.map((one) => (one * 1000) / each);
}

/** A table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['what', 'least · median · most', 'target', ''],
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
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [draw(head), rule, ...body.map(draw)].join('\n');
}
