import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const line = z.string().regex(/^\d+ \S/, 'Write a number and a thing: 2 pencils');

export const orderItems = createMcpTool('order_items')
  .description('Asks the user what to order, line by line.')
  .parameters(z.object({}))
  .elicits({
    items: z.object({
      items: z.array(line).min(1).meta({ title: 'Items', description: 'such as: 2 pencils' }),
    }),
  })
  .execute(function* (_, ctx) {
    const { items } = yield* ctx.elicit.strict('items', { message: 'What do you need?' });
    return items.map((text) => {
      const [amount, ...thing] = text.split(' ');
      return { amount: Number(amount), thing: thing.join(' ') };
    });
  });
