import { useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import type { FormEvent } from 'react';
import { type Cabin, placeOf } from './cabin.ts';
import type { Flight } from './flight.ts';
import { SeatGrid } from './seat-grid.tsx';
import './seat-picker.css';

/** What the seat picker shows. It responds with the seat, such as `12A`. */
export type SeatPickerProps = ViewProps<{ readonly flight: Flight; readonly cabin: Cabin }, string>;

const LEGEND = [
  ['available', 'Available'],
  ['taken', 'Taken'],
  ['selected', 'Yours'],
] as const;

/** A cabin seen from above. Arrow keys walk through it, Enter or Space takes a seat, the button confirms. */
export function SeatPicker({ flight, cabin, onRespond }: SeatPickerProps) {
  const [picked, setPicked] = useDraft<string | null>('picked', null);

  const answer = () => {
    if (picked !== null) onRespond(picked);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const choose = usePrimaryAction(picked === null ? 'Choose a seat' : `Choose seat ${picked}`, answer, {
    disabled: picked === null,
  });

  return (
    <form className="seats" onSubmit={submit}>
      <ul className="seats-legend" aria-label="What the seats look like">
        {LEGEND.map(([state, label]) => (
          <li key={state}>
            <span className={`seat seat-${state}`} />
            {label}
          </li>
        ))}
        <li>
          <span className="seats-exit-mark" />
          Exit row, more legroom
        </li>
      </ul>
      <div className="cabin">
        <span className="cabin-nose">{flight.number}</span>
        <SeatGrid cabin={cabin} label={`Seats of ${flight.number}`} picked={picked} onPick={setPicked} />
      </div>
      <div className="seats-foot">
        {choose}
        <output className="seats-picked">{picked && describe(cabin, picked)}</output>
      </div>
    </form>
  );
}

function describe(cabin: Cabin, seat: string): string {
  const row = Number.parseInt(seat, 10);
  const legroom = cabin.exitRows.includes(row) ? ', more legroom' : '';
  return `Row ${row}, ${placeOf(cabin, seat.replace(/^\d+/, ''))}${legroom}`;
}
