import { all } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { accept, leg } from './kit/wire.ts';

const colour = createMcpTool('colour')
  .description('Asks for a colour')
  .parameters(z.object({ of: z.string() }))
  .elicits({ colour: z.object({ name: z.string() }) })
  .execute(function* ({ of }, ctx) {
    return (yield* ctx.elicit.strict('colour', { message: `Which colour of ${of}?` })).name;
  });

const paint = createMcpTool('paint')
  .description('Paints')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_params, ctx) {
    const both = yield* all(['door', 'wall'].map((of) => ctx.call(colour, { of })));
    return both.map(String).join(' ');
  });

it('a call of 2026 that is no task asks one question at a time, also for tools that it called at once', async () => {
  const running = await startServer({ tools: [paint, colour] });
  const call = { name: 'paint', arguments: {} };
  const messages: string[] = [];
  let last = await leg(running, call);
  for (const name of ['red', 'white']) {
    const asked = Object.entries<{ params: { message: string } }>(last.result.inputRequests);
    messages.push(asked.map(([, { params }]) => params.message).join(' and '));
    last = await leg(running, call, last, Object.fromEntries(asked.map(([key]) => [key, accept({ name })])));
  }
  expect(messages).toEqual(['Which colour of door?', 'Which colour of wall?']);
  expect(last.result.content).toEqual([{ type: 'text', text: 'red white' }]);
});
