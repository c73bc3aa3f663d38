import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Sends the person to a page, for `parley serve`. */
export const logIn = createMcpTool('log_in')
  .description('Sends the person to a page to log in.')
  .parameters(z.object({ url: z.string() }))
  .requires({ elicitation: { url: true } })
  .elicits({})
  .execute(function* ({ url }, ctx) {
    const page = yield* ctx.elicit({ mode: 'url', message: 'Log in to Travel.', url });
    return page.action === 'accept' ? 'went there' : page.action;
  });
