import { choose, createMcpTool, isParleyError } from 'parley-mcp';
import * as z from 'zod';

const branch = z.object({ name: z.string(), age: z.int(), log: z.string() });

export const pruneBranches = createMcpTool('prune_branches')
  .description('Deletes old branches. The user ticks which.')
  .parameters(z.object({ branches: z.array(branch).min(1) }))
  .durable()
  .elicits({})
  .execute(function* ({ branches }, ctx) {
    const chosen = yield* choose(ctx, {
      message: 'Which branches shall go?',
      items: branches,
      label: ({ name }) => name,
      describe: ({ age }) => `untouched for ${age} days`,
      preview: ({ log }) => ({ kind: 'code', text: log }),
      recommended: ({ age }) => age > 90,
      many: true,
    });
    const failed: string[] = [];
    for (const { name } of chosen) {
      try {
        yield* ctx.step(`delete ${name}`, () => deleteBranch(name));
      } catch (error) {
        if (isParleyError(error)) throw error; // Parley's own: the call cannot go on
        failed.push(name);
      }
    }
    return { deleted: chosen.length - failed.length, failed };
  });

async function deleteBranch(name: string): Promise<void> {
  if (name === 'main') throw new Error('main is protected');
}
