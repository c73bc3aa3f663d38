import { run } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { giveAnswers, isTakenElsewhere } from '#src/calls/giving.ts';
import { createMcpTool } from '#src/core/index.ts';
import { giveResponse } from '#src/mcp/era-2026/input-requests.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';

const planned = createMcpTool('planned')
  .description('Asks twice')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ day: z.object({ text: z.string() }), meal: z.object({ text: z.string() }) })
  .execute(function* (_, ctx) {
    const day = yield* ctx.elicit.strict('day', { message: 'When?' });
    const meal = yield* ctx.elicit.strict('meal', { message: `What on ${day.text}?` });
    return `${meal.text} on ${day.text}`;
  });

const accept = (text: string) => ({ action: 'accept', content: { text } });
const capabilities = { elicitation: { form: true } } as const;
const client = { name: 'test', capabilities: () => capabilities, can: () => true };

it('an answer that came before its question is void once the call has gone back', async () => {
  await run(function* () {
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool: planned, params: {}, capabilities });
    const asks = function* (id: string) {
      while (!session.openAsks().some((ask) => ask.id === id)) yield* eventLoopTurn();
      return session.openAsks()[0]?.request;
    };
    yield* asks('elicit-1');
    const early = new Map<string, unknown>();
    const { stop } = giveAnswers(
      {
        ...{ session, early, give: giveResponse, first: true, wentBack: false, seen: {} },
        takes: (ask) => isTakenElsewhere(client, ask),
      },
      { meal: accept('soup') },
    );
    expect([...early.keys()]).toEqual(['meal']);
    yield* session.rewind('elicit-1');
    yield* asks('elicit-2');
    session.respond('elicit-2', { action: 'accept', content: { text: 'friday' } });
    expect(yield* asks('elicit-3')).toMatchObject({ message: 'What on friday?' });
    stop();
  });
});
