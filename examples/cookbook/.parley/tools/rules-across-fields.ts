import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const stay = z
  .object({
    from: z.iso.date().meta({ title: 'Arrival' }),
    to: z.iso.date().meta({ title: 'Departure' }),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'Leave after you arrive.' });

export const bookRoom = createMcpTool('book_room')
  .description('Books a room for the user.')
  .parameters(z.object({}))
  .elicits({ stay })
  .execute(function* (_, ctx) {
    const { from, to } = yield* ctx.elicit.strict('stay', { message: 'When do you stay?' });
    return `Booked from ${from} to ${to}.`;
  });
