import { randomFrom, shuffled } from '../random.ts';
import { type Airport, distance } from './airports.ts';
import type { Airline, Flight } from './flight.ts';

const CRUISE = 800; // km/h, climb and descent included
const ON_GROUND = 35; // minutes of taxiing on every leg
const CHANGE = 75; // minutes between two planes
const STOPOVERS = ['Frankfurt', 'Madrid', 'Zurich', 'Istanbul'];

/** The flights that an airline offers on a route: one or two a day, always the same ones. */
export function flightsOf(airline: Airline, from: Airport, to: Airport): Flight[] {
  const random = randomFrom(`${airline.code} ${from.code} ${to.code}`);
  const count = random() < 0.6 ? 2 : 1;
  const stopovers = STOPOVERS.filter((city) => city !== from.city && city !== to.city);
  return Array.from({ length: count }, (_, index) => {
    const stops = random() < 0.3 ? shuffled(stopovers, random).slice(0, 1) : [];
    const flying = (distance(from, to) / CRUISE) * 60 * (1 + stops.length * 0.15);
    const duration = toFive(flying + ON_GROUND * (stops.length + 1) + CHANGE * stops.length);
    const departs = toFive((index === 0 ? 6 : 14) * 60 + random() * 7 * 60);
    const arrives = departs + duration + (to.offset - from.offset) * 60;
    const fare = 38 + distance(from, to) ** 0.85 * 0.22;
    return {
      number: `${airline.code} ${100 + Math.floor(random() * 880)}`,
      airline: airline.name,
      airlineCode: airline.code,
      departs: clock(departs),
      arrives: clock(arrives),
      dayChange: Math.floor(arrives / 1440),
      duration,
      stops,
      price: Math.round(fare * airline.level * (stops.length > 0 ? 0.75 : 1) * (0.85 + random() * 0.4)),
    };
  });
}

function toFive(minutes: number): number {
  return Math.round(minutes / 5) * 5;
}

/** Minutes after midnight as `HH:MM`, on whatever day. */
function clock(minutes: number): string {
  const inDay = ((minutes % 1440) + 1440) % 1440;
  return `${pad(Math.floor(inDay / 60))}:${pad(inDay % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
