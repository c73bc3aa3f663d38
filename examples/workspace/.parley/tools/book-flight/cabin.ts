import * as z from 'zod';
import { randomFrom } from '../random.ts';

/** A cabin as the picker draws it. The columns either side of the aisle are apart. */
export const cabinSchema = z.object({
  rows: z.number().int(),
  left: z.array(z.string()),
  right: z.array(z.string()),
  /** Rows with more room for legs. */
  exitRows: z.array(z.number()),
  /** Seats that are gone, such as `12A`. */
  taken: z.array(z.string()),
});

/** A cabin as the picker draws it. */
export type Cabin = z.infer<typeof cabinSchema>;

/** What a seat is to the person in it. */
export type Place = 'window' | 'middle' | 'aisle';

/** The cabin of a flight: always the same seats are gone. */
export function cabinOf(flightNumber: string): Cabin {
  const random = randomFrom(flightNumber);
  const cabin: Cabin = {
    rows: 12,
    left: ['A', 'B', 'C'],
    right: ['D', 'E', 'F'],
    exitRows: [1, 7],
    taken: [],
  };
  const taken = seatsOf(cabin).filter(() => random() < 0.45);
  return { ...cabin, taken };
}

/** Every seat, row by row. */
export function seatsOf(cabin: Cabin): string[] {
  return Array.from({ length: cabin.rows }, (_, index) =>
    [...cabin.left, ...cabin.right].map((column) => `${index + 1}${column}`),
  ).flat();
}

/** Where in its row a seat is. */
export function placeOf(cabin: Cabin, column: string): Place {
  const { left, right } = cabin;
  if (column === left[0] || column === right.at(-1)) return 'window';
  return column === left.at(-1) || column === right[0] ? 'aisle' : 'middle';
}
