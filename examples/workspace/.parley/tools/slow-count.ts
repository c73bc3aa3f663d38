import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/**
 * Progress, and a call that can be stopped at any moment: there is nothing to do for that but to use `yield*`. Its pauses are due
 * at a time of day, so a call that outlives its process does not count from the beginning.
 */
export const slowCount = createMcpTool('slow_count')
  .description('Counts slowly to a number. Shows progress, and stops at once when it is cancelled.')
  .parameters(
    z.object({
      steps: z.int().min(1).max(1000).default(10).meta({ title: 'Count to' }),
      interval: z.int().min(0).max(60_000).default(500).meta({ title: 'Pause', description: 'Milliseconds' }),
    }),
  )
  .output(z.object({ counted: z.int() }))
  .annotations({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
  .title('Count slowly')
  .icon('watch')
  .durable()
  .elicits({})
  .execute(function* ({ steps, interval }, ctx) {
    for (let step = 1; step <= steps; step++) {
      yield* ctx.sleep(interval);
      yield* ctx.notify(`${step} of ${steps}`, { value: step, total: steps });
    }
    yield* ctx.log('info', 'counted to the end', { steps });
    return { counted: steps };
  });
