import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';

const answer = z.object({ text: z.string() });

/** The tool whose call is kept in `journal-1.json`: it must ask, step and sleep there for ever as it does here. */
export function order(effect: (what: string) => void) {
  return createMcpTool('order')
    .description('Orders something.')
    .parameters(z.object({ name: z.string() }))
    .durable()
    .elicits({ what: answer, colour: answer, sure: answer })
    .execute(function* ({ name }, ctx) {
      const what = yield* ctx.elicit.strict('what', { message: `What, ${name}?` });
      const found = yield* ctx.step('search', () => ({ found: what.text }), { reads: true });
      yield* ctx.sleep(10);
      const id = yield* ctx.step('reserve', ({ id }) => {
        effect('reserve');
        return id;
      });
      const colour = yield* ctx.elicit.strict('colour', { message: `Which ${found.found}?` });
      yield* ctx.step('paint', () => effect('paint'), { undo: () => effect('strip') });
      const sure = yield* ctx.elicit.strict('sure', { message: `A ${colour.text} ${found.found}?` });
      return [id, colour.text, sure.text];
    });
}
