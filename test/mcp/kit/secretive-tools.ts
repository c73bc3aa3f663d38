import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** What no span and no count may hold. */
export const secret = 'the fourth row, please';

/** Asks the person, then the model. */
export const asking = createMcpTool('asks')
  .description('Asks the person, then the model')
  .parameters(z.object({ wish: z.string() }))
  .durable()
  .elicits({ seat: z.object({ row: z.string() }) })
  .execute(function* ({ wish }, ctx) {
    yield* ctx.elicit('seat', { message: wish });
    const { text } = yield* ctx.sample({ prompt: wish, maxTokens: 10 });
    return text;
  });

export const failing = createMcpTool('fails')
  .description('Fails')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    throw new Error(secret);
  });

/** A call of the one that asks, and what it is answered with: by the person, and by the model. */
export const call = { name: 'asks', arguments: { wish: secret } };
export const row = { action: 'accept', content: { row: secret } };
export const said = { role: 'assistant', model: 'm-1', content: { type: 'text', text: secret } };
