import { confirm, createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const deploy = createMcpTool('deploy')
  .description('Deploys a version, after the user has agreed.')
  .parameters(z.object({ version: z.string(), to: z.enum(['staging', 'production']) }))
  .durable()
  .elicits({})
  .execute(function* ({ version, to }, ctx) {
    if (to === 'production' && !(yield* confirm(ctx, `Deploy ${version} to production?`))) {
      return 'The user did not agree: nothing was deployed.';
    }
    return yield* ctx.call('ops/deploy', { version, to });
  });
