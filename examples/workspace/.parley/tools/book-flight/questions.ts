import type { Operation } from 'effection';
import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import type { Airport } from './airports.ts';
import { cabinOf, cabinSchema, seatsOf } from './cabin.ts';
import { type Flight, flightSchema } from './flight.ts';

/** What the tool asks. The context goes to the picker beside the question; the response is what comes back. */
export const questions = {
  pickFlight: {
    response: z.object({
      flight: z.string().meta({ title: 'Flight number', description: 'Such as HC 323' }),
    }),
    context: z.object({ from: z.string(), to: z.string(), flights: z.array(flightSchema) }),
  },
  pickSeat: {
    response: z.object({
      seat: z.string().meta({ title: 'Seat', description: 'Row and letter, such as 12A' }),
    }),
    context: z.object({ flight: flightSchema, cabin: cabinSchema }),
  },
};

/** Through what the tool talks. */
export type BookingContext = ToolContext<typeof questions>;

/** A surface without our pickers lets people type anything: how often to ask for something that exists. */
const TRIES = 3;

/** Asks for one of the flights; `undefined` when the person does not want any. */
export function* pickFlight(
  flights: readonly Flight[],
  from: Airport,
  to: Airport,
  ctx: BookingContext,
): Operation<Flight | undefined> {
  let message = `Found ${flights.length} flights from ${from.code} to ${to.code}`;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('pickFlight', {
      message,
      form: z.object({ flight: named(flights.map((flight) => [flight.number, inWords(flight)])) }),
      from: from.city,
      to: to.city,
      flights: [...flights],
    });
    if (answer.action !== 'accept') return undefined;
    const wanted = answer.content.flight.trim().toUpperCase();
    const flight = flights.find(({ number }) => number === wanted);
    if (flight) return flight;
    message = `There is no flight ${wanted}. Pick one of ${flights.map(({ number }) => number).join(', ')}`;
  }
  return undefined;
}

/** Asks for a free seat; `undefined` when the person does not want any. */
export function* pickSeat(flight: Flight, ctx: BookingContext): Operation<string | undefined> {
  const cabin = cabinOf(flight.number);
  const free = seatsOf(cabin).filter((seat) => !cabin.taken.includes(seat));
  let message = `Pick a seat on ${flight.number}, which leaves at ${flight.departs}`;
  for (let tries = 0; tries < TRIES; tries++) {
    const form = z.object({ seat: z.enum(free).meta({ title: 'Seat' }) });
    const answer = yield* ctx.elicit('pickSeat', { message, form, flight, cabin });
    if (answer.action !== 'accept') return undefined;
    const seat = answer.content.seat.trim().toUpperCase();
    if (free.includes(seat)) return seat;
    message = `Seat ${seat} is not free. Pick one of the other ${free.length}, ${free[0]} for one`;
  }
  return undefined;
}

/** A choice among flights where nothing draws our list. */
function named(choices: readonly (readonly [string, string])[]) {
  const [numbers, names] = [choices.map(([number]) => number), choices.map(([, name]) => name)];
  return z.enum(numbers).meta({ title: 'Flight', enumNames: names });
}

function inWords({ number, departs, arrives, price }: Flight): string {
  return `${number}, ${departs} to ${arrives}, ${price} €`;
}
