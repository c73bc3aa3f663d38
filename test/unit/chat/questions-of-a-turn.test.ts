import { type Operation, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatEvent } from '#src/chat/events.ts';
import { newConversation } from '#src/chat/state.ts';
import type { Message } from '#src/core/index.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { calls, collector, ending, says, scriptedModel, withManager } from './rig.ts';

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
      ...ending(manager, script()),
      waiting: { mode: 'stay', capabilities: { elicitation: { form: true } }, *open() {} },
    });
    yield* engine.turn({ state: newConversation('c'), message: hello }, emit, stop.operation);
    expect(events.filter(({ type }) => type === 'plugin_elicit_request')).toHaveLength(1);
  });
});

it('a call can be given up though it is nowhere any more: the conversation goes on without it', async () => {
  const model = script();
  const waiting = await withManager((manager) =>
    createChatEngine(ending(manager, model)).turn(
      { state: newConversation('c'), message: hello },
      collector().emit,
    ),
  );
  const { events, emit } = collector();
  const state = await withManager((manager) =>
    createChatEngine(ending(manager, model)).turn({ state: waiting, pluginAbort: { sessionId: '1' } }, emit),
  );
  expect(events[0]).toMatchObject({ type: 'plugin_session_error', error: 'SESSION_ABORTED', callId: '1' });
  expect(state.awaiting).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'turn_end' });
});

it('a question that somebody else has answered is over: the next turn has its result, and a late answer is ignored', async () => {
  await withManager(function* (manager) {
    const engine = createChatEngine(ending(manager, script()));
    const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
    const elicitId = waiting.awaiting[0]?.question?.id ?? '';
    const session = manager.get({ callId: '1', conversation: 'c' });
    yield* session?.respond(elicitId, { action: 'accept', content: { colour: 'red' } }) ?? [];
    const { events, emit } = collector();
    const late = { sessionId: '1', elicitId, result: { action: 'decline' as const } };
    yield* engine.turn({ state: waiting, pluginElicitResponses: [late] }, emit);
    expect(events).toMatchObject([
      { type: 'plugin_answer_ignored', elicitId },
      { type: 'tool_result', result: { content: [{ text: 'The user likes red' }] } },
      { type: 'text' },
      { type: 'turn_end', reason: 'complete' },
    ]);
  });
});

it('an engine listens to its manager only while a call of it is there', async () => {
  await withManager(function* (manager) {
    let listening = 0;
    const subscribe: SessionManager['subscribe'] = (listener) => {
      const stop = manager.subscribe(listener);
      listening += 1;
      return () => {
        listening -= 1;
        stop();
      };
    };
    const counted = new Proxy(manager, {
      get(target, key) {
        const value: unknown = key === 'subscribe' ? subscribe : Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const engine = createChatEngine(ending(counted, script()));
    const state = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
    expect(listening).toBe(1);
    yield* engine.turn({ state, pluginAbort: { sessionId: '1' } }, collector().emit);
    expect(listening).toBe(0);
  });
});
