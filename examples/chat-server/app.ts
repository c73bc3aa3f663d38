import { type Operation, resource, useScope } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createChatEngine, createChatHandler, createSessionManager } from 'parley-mcp/chat';
import * as z from 'zod';
import { demoModel } from './demo-model.ts';

/** Asks where to, and how many go along. A question ends the turn; the answer comes with the next one. */
const planTrip = createMcpTool('plan_trip')
  .description('Plans a trip. Asks the user for the destination and for how many people it is.')
  .parameters(z.object({}))
  .elicits({
    destination: z.object({ city: z.string().min(2) }),
    company: z.object({ people: z.number().int().min(1).max(9) }),
  })
  .execute(function* (_params, ctx) {
    const { city } = yield* ctx.elicit.strict('destination', { message: 'Where do you want to go?' });
    const { people } = yield* ctx.elicit.strict('company', { message: `How many of you go to ${city}?` });
    const tip = yield* ctx.sample({ prompt: `Give one tip for ${people} people in ${city}.` });
    return `${city} for ${people}. ${tip.text}`;
  });

/** A chat whose turns are answered over HTTP. Its calls end with the scope that uses it. */
export function useApp(): Operation<(request: Request) => Promise<Response>> {
  return resource(function* (provide) {
    const engine = createChatEngine({
      manager: yield* createSessionManager(),
      tools: () => [planTrip],
      model: demoModel,
      waiting: { mode: 'end' },
    });
    yield* provide(createChatHandler(engine, { scope: yield* useScope() }));
  });
}
