import { AirlineMark } from './airline-mark.tsx';
import { type Flight, spell } from './flight.ts';

/** What a card shows, and the radio group it belongs to. */
export interface FlightCardProps {
  readonly flight: Flight;
  readonly badges: readonly string[];
  readonly group: string;
  readonly checked: boolean;
  onCheck(): void;
}

/** One flight as a radio button that looks like a card. */
export function FlightCard({ flight, badges, group, checked, onCheck }: FlightCardProps) {
  return (
    <label className="flight">
      <input
        className="flight-radio"
        type="radio"
        name={group}
        value={flight.number}
        checked={checked}
        onChange={onCheck}
        aria-label={inWords(flight, badges)}
      />
      <AirlineMark code={flight.airlineCode} />
      <span className="flight-who">
        <span className="flight-airline">{flight.airline}</span>
        <span className="flight-quiet">{flight.number}</span>
      </span>
      <span className="flight-journey">
        <span className="flight-time">{flight.departs}</span>
        <span className="flight-line">
          <span className="flight-quiet">{spell(flight.duration)}</span>
          <span className="flight-track">
            {flight.stops.map((city) => (
              <span key={city} className="flight-stop" />
            ))}
          </span>
          <span className="flight-quiet">{stopsOf(flight)}</span>
        </span>
        <span className="flight-time">
          {flight.arrives}
          {flight.dayChange !== 0 && <sup className="flight-day">{signed(flight.dayChange)}</sup>}
        </span>
      </span>
      <span className="flight-cost">
        <span className="flight-price">€{flight.price}</span>
        {badges.map((badge) => (
          <span key={badge} className="flight-badge">
            {badge}
          </span>
        ))}
      </span>
    </label>
  );
}

/** The card as one sentence: its parts in reading order make none. */
function inWords(flight: Flight, badges: readonly string[]): string {
  const days = flight.dayChange === 0 ? '' : ` (${signed(flight.dayChange)} day)`;
  return [
    `${flight.airline} ${flight.number}`,
    `${flight.departs} to ${flight.arrives}${days}`,
    spell(flight.duration),
    stopsOf(flight),
    `€${flight.price}`,
    ...badges.map((badge) => badge.toLowerCase()),
  ].join(', ');
}

function stopsOf({ stops }: Flight): string {
  return stops.length === 0 ? 'direct' : `via ${stops.join(', ')}`;
}

function signed(days: number): string {
  return days > 0 ? `+${days}` : `−${-days}`;
}
