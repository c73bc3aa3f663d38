import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const planTrip = createMcpTool('plan_trip')
  .description('Asks the user for everything that a trip needs, at once.')
  .parameters(z.object({ city: z.string() }))
  .elicits({
    when: z.object({
      day: z.iso.date().meta({ title: 'Day' }),
      days: z.int().min(1).default(3).meta({ title: 'Days' }),
    }),
    how: z.object({ by: z.enum(['train', 'plane']).default('train').meta({ title: 'By' }) }),
  })
  .execute(function* ({ city }, ctx) {
    const trip = yield* ctx.elicit.all({ when: { message: `When to ${city}?` }, how: { message: 'How?' } });
    if (trip.action !== 'accept') return 'The user does not want to travel.';
    const { when, how } = trip.content;
    return `${city} by ${how.by} on ${when.day}, for ${when.days} days`;
  });
