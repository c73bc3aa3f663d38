import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Says which process it runs in, and which names that has in its environment. */
export const whoami = createMcpTool('whoami')
  .description('Says its process')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return JSON.stringify({ pid: process.pid, environment: Object.keys(process.env) });
  });
