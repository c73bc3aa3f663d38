import { spawn } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import type { Waiting } from '#src/chat/options.ts';
import { newConversation } from '#src/chat/state.ts';
import { createMcpTool } from '#src/core/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { calls, collector, says, scriptedModel, withManager } from './rig.ts';

const asksBoth = createMcpTool('asks_both')
  .description('Asks the model, and then the person')
  .parameters(z.object({}))
  .requires({ sampling: true })
  .elicits({ sure: z.object({}) })
  .execute(function* (_, ctx) {
    const { parsed } = yield* ctx.sample({
      prompt: 'A city?',
      schema: z.object({ city: z.string() }),
      maxTokens: 9,
    });
    const { action } = yield* ctx.elicit('sure', { message: `To ${parsed?.city}?` });
    return `${parsed?.city}: ${action}`;
  });

const message = { role: 'user', content: says('go') } as const;
const script = () =>
  scriptedModel([[calls('1', 'asks_both')], [calls('2', '__schema__', { city: 'Lisbon' })], [says('Done.')]]);

/** Takes a turn, and the answer to its question where it waits for that. */
async function converse(waiting: Waiting, model = script()) {
  const { events, emit } = collector();
  await withManager(function* (manager) {
    const engine = createChatEngine({ manager, model, tools: () => [asksBoth], waiting });
    const state = yield* engine.turn({ state: newConversation('c'), message }, emit);
    const asked = events.find((event) => event.type === 'plugin_elicit_request');
    if (state.awaiting.length === 0 || !asked) return;
    const { sessionId, elicitId } = asked;
    const pluginElicitResponses = [{ sessionId, elicitId, result: { action: 'decline' } as const }];
    yield* engine.turn({ state, pluginElicitResponses }, emit);
  });
  const texts = events.flatMap((event) => (event.type === 'text' ? event.text : []));
  const results = events.flatMap((event) => (event.type === 'tool_result' ? event.result.content : []));
  return { model, texts, results, waited: events.some(({ type }) => type === 'plugin_elicit_request') };
}

it('a tool samples with the model of its conversation, which nobody else reads', async () => {
  const { model, results, texts, waited } = await converse({ mode: 'end' });
  expect(results).toEqual([says('Lisbon: decline')]);
  expect(texts).toEqual(['Done.']);
  expect(waited).toBe(true);
  expect(model.requests[1]).toMatchObject({
    tools: [{ name: '__schema__', inputSchema: { type: 'object' } }],
    toolChoice: { mode: 'required' },
    maxTokens: 9,
  });
});

const other: Client = {
  name: 'another model',
  capabilities: () => ({ sampling: { tools: true }, elicitation: { form: true } }),
  can: (ask) => ask.kind !== 'roots',
  *sample() {
    return { role: 'assistant', model: 'other', content: says('{"city":"Porto"}') };
  },
  *elicit() {
    return { action: 'accept', content: {} };
  },
};

it('a client that samples goes first, and a question ends the turn all the same', async () => {
  const model = scriptedModel([[calls('1', 'asks_both')], [says('Done.')]]);
  const { results, waited } = await converse({ mode: 'end', client: other }, model);
  expect(results).toEqual([says('Porto: decline')]);
  expect(waited).toBe(true);
});

it('the model samples beside a surface that only asks', async () => {
  const capabilities = { elicitation: { form: true } } as const;
  const only: Client = { ...other, capabilities: () => capabilities, can: ({ kind }) => kind === 'elicit' };
  const open = function* (session: Session) {
    yield* spawn(() => drive(session, only, 'end'));
  };
  expect((await converse({ mode: 'stay', capabilities, open })).results).toEqual([says('Lisbon: accept')]);
});
