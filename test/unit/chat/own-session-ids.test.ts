import { describe, expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatEvent, PluginElicitRequestEvent } from '#src/chat/events.ts';
import type { ChatEngineOptions } from '#src/chat/options.ts';
import { newConversation } from '#src/chat/state.ts';
import { blocksOf, type Message } from '#src/core/index.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { calls, collector, ending, says, scriptedModel, withManager } from './rig.ts';

const hello: Message = { role: 'user', content: { type: 'text', text: 'hello' } };

/** An engine whose sessions are called otherwise than its calls. */
const named = (manager: SessionManager): ChatEngineOptions => ({
  ...ending(manager, scriptedModel([[calls('call_0', 'ask_colour')], [says('thanks')]])),
  sessionId: (callId, conversation) => `${callId}@${conversation}`,
});

const questionIn = (events: readonly ChatEvent[]): PluginElicitRequestEvent => {
  const event = events.find(({ type }) => type === 'plugin_elicit_request');
  if (event?.type !== 'plugin_elicit_request') throw new Error('expected a question');
  return event;
};

describe('a call whose session has a name of its own', () => {
  it('takes the answer that names what its question said', async () => {
    const { state, events } = await withManager(function* (manager) {
      const engine = createChatEngine(named(manager));
      const first = collector();
      const waiting = yield* engine.turn({ state: newConversation('c1'), message: hello }, first.emit);
      const { sessionId, callId, elicitId } = questionIn(first.events);
      expect([sessionId, callId]).toEqual(['call_0@c1', 'call_0']);
      const { events, emit } = collector();
      const result = { action: 'accept' as const, content: { colour: 'blue' } };
      const answers = [{ sessionId, callId, elicitId, result }];
      return { events, state: yield* engine.turn({ state: waiting, pluginElicitResponses: answers }, emit) };
    });
    expect(events.map(({ type }) => type)).toEqual(['tool_result', 'text', 'turn_end']);
    expect(blocksOf(state.messages[2] as Message)).toMatchObject([
      { type: 'tool_result', toolUseId: 'call_0', content: [{ text: 'The user likes blue' }] },
    ]);
    expect(state.awaiting).toEqual([]);
  });

  it('is given up by what its question said, and the event of that says the same', async () => {
    await withManager(function* (manager) {
      const engine = createChatEngine(named(manager));
      const first = collector();
      const waiting = yield* engine.turn({ state: newConversation('c1'), message: hello }, first.emit);
      const { sessionId } = questionIn(first.events);
      const { events, emit } = collector();
      const state = yield* engine.turn({ state: waiting, pluginAbort: { sessionId } }, emit);
      expect(events[0]).toMatchObject({
        type: 'plugin_session_error',
        sessionId: 'call_0@c1',
        callId: 'call_0',
        error: 'SESSION_ABORTED',
      });
      expect(state.awaiting).toEqual([]);
      expect(manager.listActive()).toEqual([]);
    });
  });

  it('is lost under the same name', async () => {
    const waiting = await withManager((manager) =>
      createChatEngine(named(manager)).turn(
        { state: newConversation('c1'), message: hello },
        collector().emit,
      ),
    );
    const { events, emit } = collector();
    await withManager((manager) => createChatEngine(named(manager)).turn({ state: waiting }, emit));
    expect(events[0]).toMatchObject({
      type: 'plugin_session_error',
      sessionId: 'call_0@c1',
      error: 'SESSION_NOT_FOUND',
    });
  });
});
