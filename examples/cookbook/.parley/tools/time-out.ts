import { createMcpTool, isParleyError } from 'parley-mcp';
import * as z from 'zod';

export const restartService = createMcpTool('restart_service')
  .description('Restarts a service, unless the user objects within five minutes.')
  .parameters(z.object({ service: z.string() }))
  .durable()
  .elicits({ objection: z.object({ wait: z.boolean().meta({ title: 'Do not restart it' }) }) })
  .execute(function* ({ service }, ctx) {
    try {
      const { wait } = yield* ctx.elicit.strict('objection', {
        message: `${service} restarts in five minutes.`,
        timeout: 300_000,
      });
      if (wait) return `${service} was left as it is.`;
    } catch (error) {
      if (!isParleyError(error, 'TIMEOUT')) throw error;
    }
    yield* ctx.step('restart', () => restart(service));
    return `${service} was restarted.`;
  });

async function restart(_service: string): Promise<void> {
  // Yours: ask your platform to restart it.
}
