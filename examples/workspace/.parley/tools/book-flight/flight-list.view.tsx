import { useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, useId } from 'react';
import { AIRPLANE } from './airplane.ts';
import type { Flight } from './flight.ts';
import { FlightCard } from './flight-card.tsx';
import './flight-list.css';

/** What the flight list shows. It responds with the number of the flight that was picked. */
export type FlightListProps = ViewProps<
  { readonly from: string; readonly to: string; readonly flights: readonly Flight[] },
  string
>;

/** A day's flights as one radio group of cards: arrow keys move, Enter picks. */
export function FlightList({ from, to, flights, onRespond }: FlightListProps) {
  const [picked, setPicked] = useDraft<string | null>('picked', null);
  const id = useId();
  const cheapest = least(flights, ({ price }) => price);
  const fastest = least(flights, ({ duration }) => duration);

  const answer = () => {
    if (picked !== null) onRespond(picked);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const choose = usePrimaryAction(picked === null ? 'Choose a flight' : `Choose ${picked}`, answer, {
    disabled: picked === null,
  });

  return (
    <form className="flights" onSubmit={submit}>
      <header className="flights-head">
        <Airplane />
        <h3 className="flights-route" id={id}>
          {from} <span className="flights-to">to</span> {to}
        </h3>
      </header>
      <div className="flights-cards" role="radiogroup" aria-labelledby={id}>
        {flights.map((flight) => (
          <FlightCard
            key={flight.number}
            group={`${id}-flight`}
            flight={flight}
            badges={[
              ...(flight === cheapest ? ['Cheapest'] : []),
              ...(flight === fastest ? ['Fastest'] : []),
            ]}
            checked={picked === flight.number}
            onCheck={() => setPicked(flight.number)}
          />
        ))}
      </div>
      {choose}
    </form>
  );
}

/** The one that costs least; none where several do, for a badge on each of them would say nothing. */
function least(flights: readonly Flight[], cost: (flight: Flight) => number): Flight | undefined {
  const lowest = Math.min(...flights.map(cost));
  const [only, ...others] = flights.filter((flight) => cost(flight) === lowest);
  return others.length === 0 ? only : undefined;
}

function Airplane() {
  return (
    <svg className="flights-airplane" viewBox="0 0 16 16" aria-hidden="true">
      <path d={AIRPLANE} />
    </svg>
  );
}
