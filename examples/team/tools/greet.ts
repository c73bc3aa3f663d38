import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Two questions, at any two replicas. */
export const greet = createMcpTool('greet')
  .description('Greets a person')
  .parameters(z.object({}))
  .durable()
  .elicits({ name: z.object({ name: z.string() }), sure: z.object({ sure: z.boolean() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who are you?' });
    const { sure } = yield* ctx.elicit.strict('sure', { message: `Really ${name}?` });
    return sure ? `Hello ${name}!` : 'Hello whoever you are!';
  });
