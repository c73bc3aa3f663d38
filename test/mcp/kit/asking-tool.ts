import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A tool that asks at once, and does nothing else. */
export const asks = createMcpTool('asks')
  .description('Asks')
  .parameters(z.object({}))
  .requires({ elicitation: true })
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit.strict('name', { message: 'Who is it?' })).name;
  });
