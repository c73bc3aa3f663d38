import { appendFile } from 'node:fs/promises';
import { suspend, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Does something in the world, and never comes back. */
export const tag = createMcpTool('tag')
  .description('Tags a version')
  .parameters(z.object({ log: z.string() }))
  .elicits({})
  .execute(function* ({ log }) {
    yield* until(appendFile(log, 'tagged\n'));
    yield* suspend();
  });
