import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Calls a tool of the server `hub`, by name. */
export const askHub = createMcpTool('ask_hub')
  .description('Has the hub say hello')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_, ctx) {
    return yield* ctx.call('hub/plain', {});
  });
