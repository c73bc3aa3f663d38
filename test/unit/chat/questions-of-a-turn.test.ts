import { type Operation, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatEvent } from '#src/chat/events.ts';
import { newConversation } from '#src/chat/state.ts';
import type { Message } from '#src/core/index.ts';
import { calls, collector, parking, says, scriptedModel, withManager } from './rig.ts';

const hello: Message = { role: 'user', content: { type: 'text', text: 'hello' } };
const script = () => scriptedModel([[calls('1', 'ask_colour')], [says('nice')]]);

it('a question is told once to a turn that stays for its answer', async () => {
  await withManager(function* (manager) {
    const stop = withResolvers<void>();
    const { events, emit: collect } = collector();
    const emit = function* (event: ChatEvent): Operation<void> {
      yield* collect(event);
      if (event.type !== 'plugin_elicit_request') return;
      manager
        .get({ callId: '1', conversation: 'c' })
        ?.respondToElicit(event.elicitId, { action: 'accept', content: { colour: 'red' } });
    };
    const engine = createChatEngine({
      ...parking(manager, script()),
      waiting: { mode: 'stay', capabilities: { elicitation: { form: true } }, *open() {} },
    });
    yield* engine.turn({ state: newConversation('c'), message: hello }, emit, stop.operation);
    expect(events.filter(({ type }) => type === 'plugin_elicit_request')).toHaveLength(1);
  });
});

it('a call can be given up though it is nowhere any more: the conversation goes on without it', async () => {
  const model = script();
  const parked = await withManager((manager) =>
    createChatEngine(parking(manager, model)).turn(
      { state: newConversation('c'), message: hello },
      collector().emit,
    ),
  );
  const { events, emit } = collector();
  const state = await withManager((manager) =>
    createChatEngine(parking(manager, model)).turn({ state: parked, pluginAbort: { sessionId: '1' } }, emit),
  );
  expect(events[0]).toMatchObject({ type: 'plugin_session_error', error: 'SESSION_ABORTED', callId: '1' });
  expect(state.awaiting).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'turn_end' });
});
