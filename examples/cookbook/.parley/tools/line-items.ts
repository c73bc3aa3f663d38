import { createMcpTool, json } from 'parley-mcp';
import * as z from 'zod';

const row = z.object({
  what: z.string().min(1).meta({ title: 'What' }),
  amount: z.int().min(1).meta({ title: 'Amount' }),
});

export const orderItems = createMcpTool('order_items')
  .description('Shows the user what will be ordered, row by row, to correct.')
  .parameters(z.object({ rows: z.array(row) }))
  .elicits({ order: z.object({ rows: json(z.array(row).min(1)).meta({ title: 'Items' }) }) })
  .execute(function* ({ rows }, ctx) {
    const order = yield* ctx.elicit.strict('order', { message: 'Order this?', values: { rows } });
    return order.rows;
  });
