import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A tool that greets, and does nothing else. */
export const hello = createMcpTool('hello')
  .description('Greets')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return 'hello';
  });
