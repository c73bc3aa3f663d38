import type { Operation } from 'effection';
import { createMcpTool, isParleyError } from 'parley-mcp';
import * as z from 'zod';
import { airplaneIcon } from './airplane.ts';
import { type Airport, airportOf } from './airports.ts';
import { AIRLINES, type Flight } from './flight.ts';
import { type BookingContext, pickFlight, pickSeat, questions } from './questions.ts';
import { search } from './search.ts';
import { ticketNumber } from './ticket.ts';

const place = z.string().min(2).max(40);

/**
 * Finds flights, lets the person pick one and a seat, asks the model for a tip, and books. It is durable: what others do for it is
 * done in steps, so the call outlives its process, and the person can go back to a question.
 */
export const bookFlight = createMcpTool('book_flight')
  .description(
    'Books a flight for the user. Searches all airlines, then asks the user to pick a flight and a seat. ' +
      'Returns the ticket, or status "not_booked" when the user does not want any.',
  )
  .parameters(
    z.object({
      from: place.meta({ title: 'From', description: 'City or airport code' }),
      destination: place.meta({ title: 'Destination', description: 'City or airport code' }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['booked', 'not_booked']),
      summary: z.string(),
      ticketNumber: z.string().optional(),
      flight: z.string().optional(),
      seat: z.string().optional(),
      price: z.number().meta({ description: 'Euros' }).optional(),
      tip: z.string().optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, openWorldHint: false })
  .title('Book a flight')
  .icon(airplaneIcon)
  .requires({ elicitation: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ from, destination }, ctx) {
    const [start, end] = [airportOf(from), airportOf(destination)];
    if (start.code === end.code) {
      throw new Error(`From and destination are both ${start.city}: name two different places.`);
    }

    const flights = yield* searchAll(start, end, ctx);

    const flight = yield* pickFlight(flights, start, end, ctx);
    if (!flight) return notBooked('No flight was picked');

    const seat = yield* pickSeat(flight, ctx);
    if (!seat) return notBooked(`No seat was picked on ${flight.number}`);

    const tip = yield* travelTip(end, ctx);
    const ticket = yield* ctx.step('book', () => ticketNumber(flight.number, seat, ctx.callId));
    return {
      status: 'booked' as const,
      summary: `Booked ${flight.number} from ${start.city} to ${end.city}, seat ${seat}.`,
      ticketNumber: ticket,
      flight: `${flight.number}, ${flight.departs} to ${flight.arrives}`,
      seat,
      price: flight.price,
      ...(tip && { tip }),
    };
  });

function* searchAll(from: Airport, to: Airport, ctx: BookingContext): Operation<readonly Flight[]> {
  yield* ctx.log('info', `searching ${AIRLINES.length} airlines`, { from: from.code, to: to.code });
  const found: Flight[] = [];
  for (const [index, airline] of AIRLINES.entries()) {
    yield* ctx.notify(`Asking ${airline.name}`, { value: index, total: AIRLINES.length });
    const offered = yield* ctx.step(`search ${airline.name}`, () => search(airline, from, to), {
      reads: true,
    });
    found.push(...offered);
  }
  yield* ctx.notify(`Found ${found.length} flights`, { value: AIRLINES.length, total: AIRLINES.length });
  return found.sort((a, b) => a.departs.localeCompare(b.departs));
}

/** A tip is nice to have: a model that is missing or refuses must not cost anybody the ticket. */
function* travelTip({ city }: Airport, ctx: BookingContext): Operation<string | undefined> {
  try {
    const { text } = yield* ctx.sample({
      prompt: `Give one practical travel tip for a visit to ${city}, in one sentence and without a preamble.`,
      maxTokens: 120,
    });
    return text.trim() || undefined;
  } catch (error) {
    if (!isParleyError(error)) throw error;
    yield* ctx.log('warning', `no travel tip: ${error.message}`);
    return undefined;
  }
}

function notBooked(why: string) {
  return { status: 'not_booked' as const, summary: `${why}. Nothing was booked.` };
}
