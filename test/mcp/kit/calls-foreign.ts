import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A tool that calls one of a server beside it, by name. */
export const add = createMcpTool('add')
  .description('Has another server add')
  .parameters(z.object({ a: z.number(), b: z.number() }))
  .elicits({})
  .execute(function* (terms, ctx) {
    return yield* ctx.call('everything/get-sum', terms);
  });
