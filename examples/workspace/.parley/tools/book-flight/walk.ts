import type { Cabin } from './cabin.ts';

/**
 * Where a key leads from a seat, or `undefined` for a key that leads nowhere. Keys as in the ARIA grid pattern
 * (https://www.w3.org/WAI/ARIA/apg/patterns/grid/): the walk stops at the walls.
 */
export function walk(cabin: Cabin, seat: string, key: string, control = false): string | undefined {
  const columns = [...cabin.left, ...cabin.right];
  const row = Number.parseInt(seat, 10);
  const column = columns.indexOf(seat.replace(/^\d+/, ''));
  const to = (toRow: number, toColumn: number) =>
    `${within(toRow, 1, cabin.rows)}${columns[within(toColumn, 0, columns.length - 1)]}`;

  switch (key) {
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'PageUp':
      return to(row - 5, column);
    case 'PageDown':
      return to(row + 5, column);
    case 'Home':
      return to(control ? 1 : row, 0);
    case 'End':
      return to(control ? cabin.rows : row, columns.length - 1);
    default:
      return undefined;
  }
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
