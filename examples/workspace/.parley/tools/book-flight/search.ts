import { type Operation, sleep } from 'effection';
import type { Airport } from './airports.ts';
import type { Airline, Flight } from './flight.ts';
import { flightsOf } from './timetable.ts';

/** What one airline offers. The answer takes a moment, as a real airline's would. */
export function* search(airline: Airline, from: Airport, to: Airport): Operation<Flight[]> {
  yield* sleep(150);
  return flightsOf(airline, from, to);
}
