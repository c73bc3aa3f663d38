import { type KeyboardEvent, useRef, useState } from 'react';
import { type Cabin, placeOf, seatsOf } from './cabin.ts';
import { walk } from './walk.ts';

/** A cabin, and the seat that is picked. */
export interface SeatGridProps {
  readonly cabin: Cabin;
  readonly label: string;
  readonly picked: string | null;
  onPick(seat: string): void;
}

/** All seats as one stop of the Tab key: inside, arrow keys, Home, End, Page Up and Page Down move. */
export function SeatGrid({ cabin, label, picked, onPick }: SeatGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const [here, setHere] = useState(() => seatsOf(cabin).find((seat) => !cabin.taken.includes(seat)) ?? '1A');

  const onKeyDown = (event: KeyboardEvent) => {
    const there = walk(cabin, here, event.key, event.ctrlKey || event.metaKey);
    if (there === undefined) return;
    event.preventDefault();
    grid.current?.querySelector<HTMLElement>(`[data-seat="${there}"]`)?.focus();
  };

  const head = (column: string) => (
    <th key={column} scope="col">
      {column}
    </th>
  );

  const seat = (row: number, column: string) => {
    const id = `${row}${column}`;
    const place = `${placeOf(cabin, column)}${cabin.exitRows.includes(row) ? ', exit row' : ''}`;
    const state = picked === id ? 'selected' : cabin.taken.includes(id) ? 'taken' : 'available';
    return (
      <td key={column}>
        <button
          type="button"
          className={`seat seat-${state}`}
          data-seat={id}
          tabIndex={here === id ? 0 : -1}
          aria-label={`${id}, ${place}, ${state}`}
          aria-pressed={state === 'selected'}
          aria-disabled={state === 'taken'}
          title={`${id}, ${place}`}
          onFocus={() => setHere(id)}
          onClick={() => state === 'available' && onPick(id)}
        >
          {state === 'selected' && column}
        </button>
      </td>
    );
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: seats in rows and columns are a grid
    <table className="seat-grid" role="grid" aria-label={label} ref={grid} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {cabin.left.map(head)}
          <td />
          {cabin.right.map(head)}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: cabin.rows }, (_, index) => index + 1).map((row) => (
          <tr key={row} className={cabin.exitRows.includes(row) ? 'seat-exit' : undefined}>
            {cabin.left.map((column) => seat(row, column))}
            <th scope="row">{row}</th>
            {cabin.right.map((column) => seat(row, column))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
