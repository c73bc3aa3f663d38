import { type Operation, sleep, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatEvent } from '#src/chat/events.ts';
import type { ChatEngineOptions } from '#src/chat/options.ts';
import { type ConversationState, newConversation } from '#src/chat/state.ts';
import { blocksOf, type Message } from '#src/core/index.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { add, askColour, calls, collector, ending, nobody, says, scriptedModel, withManager } from './rig.ts';

const hello: Message = { role: 'user', content: { type: 'text', text: 'hello' } };
const lastBlocks = (state: ConversationState) => blocksOf(state.messages.at(-1) as Message);
const resultsOf = (message: Message | undefined) =>
  blocksOf(message as Message).map((block) => {
    if (block.type !== 'tool_result') throw new Error(`expected a tool_result, got ${block.type}`);
    const [first] = block.content;
    return [block.toolUseId, first?.type === 'text' ? first.text : first?.type, block.isError ?? false];
  });

describe('a turn', () => {
  it('ends when the model has nothing more to ask, with the conversation as messages', async () => {
    const model = scriptedModel([[says('Hi!')]]);
    const { events, emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn({ state: newConversation('c'), message: hello }, emit),
    );
    expect(state.messages).toEqual([hello, { role: 'assistant', content: [says('Hi!')] }]);
    expect(events.map((event) => event.type)).toEqual(['text', 'turn_end']);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['ask_colour', 'add', 'fails']);
  });

  it('runs the tool calls of one answer side by side and keeps their results in order', async () => {
    const model = scriptedModel([
      [calls('1', 'add', { a: 1, b: 2 }), calls('2', 'fails'), calls('3', 'add', { a: 2, b: 2 })],
      [says('done')],
    ]);
    const { emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn({ state: newConversation('c'), message: hello }, emit),
    );
    expect(resultsOf(state.messages[2])).toEqual([
      ['1', '3', false],
      ['2', expect.stringContaining('the disk is full'), true],
      ['3', '4', false],
    ]);
    expect(lastBlocks(state)).toEqual([says('done')]);
  });

  it('answers an unknown tool and invalid arguments with errors the model can act on', async () => {
    const model = scriptedModel([[calls('1', 'fly'), calls('2', 'add', { a: 'one' })], [says('sorry')]]);
    const { emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn({ state: newConversation('c'), message: hello }, emit),
    );
    expect(resultsOf(state.messages[2])).toEqual([
      ['1', 'There is no tool "fly". Tools there are: ask_colour, add, fails.', true],
      ['2', expect.stringMatching(/\ba\b/), true],
    ]);
  });

  it('stops calling the model at its limit, with every call answered', async () => {
    const model = scriptedModel([[calls('1', 'nope')], [calls('2', 'nope')], [calls('3', 'nope')]]);
    const { events, emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine({ ...ending(manager, model), maxIterations: 2 }).turn(
        { state: newConversation('c'), message: hello },
        emit,
      ),
    );
    expect(model.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'iteration_limit' });
    expect(resultsOf(state.messages.at(-1))[0]?.[0]).toBe('2');
  });

  it('asks before a call and tells the model when it may not', async () => {
    const model = scriptedModel([[calls('1', 'add', { a: 1, b: 1 })], [says('ok')]]);
    const { emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine({
        ...ending(manager, model),
        *confirm({ tool }) {
          return tool.name !== 'add';
        },
      }).turn({ state: newConversation('c'), message: hello }, emit),
    );
    expect(resultsOf(state.messages[2])[0]).toEqual(['1', expect.stringContaining('did not allow'), true]);
  });
});

describe('a call that waits for a person', () => {
  const script = () =>
    scriptedModel([[calls('1', 'ask_colour'), calls('2', 'add', { a: 1, b: 1 })], [says('thanks')]]);

  it('waits, ends the turn, and goes on with the answer of a later request', async () => {
    const model = script();
    await withManager(function* (manager) {
      const engine = createChatEngine(ending(manager, model));
      const first = collector();
      const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, first.emit);
      expect(first.events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'awaiting' });
      expect(first.events).toContainEqual(
        expect.objectContaining({
          type: 'plugin_elicit_request',
          sessionId: '1',
          callId: '1',
          toolName: 'ask_colour',
          elicitId: waiting.awaiting[0]?.question?.id,
          key: 'colour',
          message: 'Which colour?',
          schema: expect.objectContaining({ required: ['colour'] }),
        }),
      );
      const [call] = waiting.awaiting;
      expect(model.requests).toHaveLength(1);

      const second = collector();
      const state = yield* engine.turn(
        {
          state: JSON.parse(JSON.stringify(waiting)),
          pluginElicitResponses: [
            {
              sessionId: '1',
              elicitId: call?.question?.id ?? '',
              result: { action: 'accept', content: { colour: 'blue' } },
            },
          ],
        },
        second.emit,
      );
      expect(resultsOf(state.messages[2])).toEqual([
        ['1', 'The user likes blue', false],
        ['2', '2', false],
      ]);
      expect(lastBlocks(state)).toEqual([says('thanks')]);
      expect(second.events.filter((event) => event.type === 'tool_log')).toEqual([]);
      expect(manager.listActive()).toEqual([]);
      expect(manager.get({ callId: '1', conversation: 'c' })).toBeUndefined();
    });
  });

  it('asks again when the answer is invalid, and keeps what the person said meanwhile for later', async () => {
    const model = script();
    await withManager(function* (manager) {
      const engine = createChatEngine(ending(manager, model));
      const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
      const elicitId = waiting.awaiting[0]?.question?.id ?? '';
      const again = yield* engine.turn(
        {
          state: waiting,
          message: { role: 'user', content: says('and hurry') },
          pluginElicitResponses: [
            { sessionId: '1', elicitId, result: { action: 'accept', content: { colour: 'x' } } },
          ],
        },
        collector().emit,
      );
      expect(again.awaiting[0]?.question).toMatchObject({ id: elicitId, attempt: 2 });
      const state = yield* engine.turn(
        {
          state: again,
          pluginElicitResponses: [{ sessionId: '1', elicitId, result: { action: 'decline' } }],
        },
        collector().emit,
      );
      expect(state.messages.slice(2).map((message) => message.role)).toEqual(['user', 'user', 'assistant']);
      expect(state.messages[3]).toEqual({ role: 'user', content: says('and hurry') });
    });
  });

  it('calls the model again only when all open questions are answered', async () => {
    const model = scriptedModel([[calls('1', 'ask_colour'), calls('2', 'ask_colour')], [says('both')]]);
    await withManager(function* (manager) {
      const engine = createChatEngine(ending(manager, model));
      let state = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
      for (const callId of ['2', '1']) {
        expect(model.requests).toHaveLength(1);
        const elicitId = state.awaiting.find((one) => one.callId === callId)?.question?.id ?? '';
        state = yield* engine.turn(
          {
            state,
            pluginElicitResponses: [{ sessionId: callId, callId, elicitId, result: { action: 'cancel' } }],
          },
          collector().emit,
        );
      }
      expect(resultsOf(state.messages[2]).map(([id]) => id)).toEqual(['1', '2']);
      expect(lastBlocks(state)).toEqual([says('both')]);
    });
  });

  it('says so when nobody waits for an answer, and goes on', async () => {
    await withManager(function* (manager) {
      const engine = createChatEngine(ending(manager, script()));
      const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
      const { events, emit } = collector();
      const result = { action: 'decline' as const };
      yield* engine.turn(
        {
          state: waiting,
          pluginElicitResponses: [
            { sessionId: 'unknown', elicitId: 'elicit-1', result },
            { sessionId: '1', elicitId: 'elicit-7', result },
          ],
        },
        emit,
      );
      expect(events.filter(({ type }) => type === 'plugin_answer_ignored')).toMatchObject([
        { sessionId: 'unknown', message: expect.stringContaining('No call') },
        { sessionId: '1', elicitId: 'elicit-7', message: expect.stringContaining('no longer waits') },
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'awaiting' });
    });
  });

  it('can be given up: the session is aborted and the conversation goes on', async () => {
    await withManager(function* (manager) {
      const engine = createChatEngine(ending(manager, script()));
      const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
      const { events, emit } = collector();
      const state = yield* engine.turn({ state: waiting, pluginAbort: { sessionId: '1' } }, emit);
      expect(events[0]).toMatchObject({
        type: 'plugin_session_error',
        sessionId: '1',
        error: 'SESSION_ABORTED',
        message: 'The call was stopped: the user cancelled it.',
      });
      expect(events[1]).toMatchObject({ type: 'tool_result', callId: '1', toolName: 'ask_colour' });
      expect(resultsOf(state.messages[2])[0]).toEqual(['1', expect.stringContaining('stopped'), true]);
      expect(manager.listActive()).toEqual([]);
    });
  });

  it('that is lost gives an error event and a result, and the conversation goes on', async () => {
    const model = script();
    const waiting = await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn(
        { state: newConversation('c'), message: hello },
        collector().emit,
      ),
    );
    const { events, emit } = collector();
    const state = await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn({ state: waiting }, emit),
    );
    expect(events[0]).toMatchObject({
      type: 'plugin_session_error',
      error: 'SESSION_NOT_FOUND',
      callId: '1',
    });
    expect(resultsOf(state.messages[2])[0]).toEqual(['1', expect.stringContaining('lost'), true]);
    expect(lastBlocks(state)).toEqual([says('thanks')]);
  });

  it('is told as lost to a program that takes over from what was kept', async () => {
    const kept: ConversationState[] = [];
    const model = scriptedModel([[calls('1', 'ask_colour'), calls('2', 'add', { a: 1, b: 2 })]]);
    await withManager(function* (manager) {
      const asked = withResolvers<void>();
      const options = {
        ...ending(manager, model),
        keep: (state: ConversationState) => void kept.push(JSON.parse(JSON.stringify(state))),
        waiting: {
          mode: 'stay' as const,
          capabilities: { elicitation: { form: true as const } },
          *open() {
            asked.resolve();
          },
        },
      };
      const { emit } = collector();
      // Its manager goes down with the question open, as a window does.
      yield* spawn(() =>
        createChatEngine(options).turn({ state: newConversation('c'), message: hello }, emit),
      );
      yield* asked.operation;
    });
    expect(kept).toHaveLength(1);
    const { events, emit } = collector();
    const next = scriptedModel([[says('I ask again.')]]);
    const state = await withManager((manager) =>
      createChatEngine(ending(manager, next)).turn(
        { state: kept[0] as ConversationState, message: hello },
        emit,
      ),
    );
    expect(events.flatMap((event) => (event.type === 'plugin_session_error' ? [event.error] : []))).toEqual([
      'SESSION_NOT_FOUND',
      'SESSION_NOT_FOUND',
    ]);
    expect(resultsOf(state.messages[2]).map(([id, , isError]) => [id, isError])).toEqual([
      ['1', true],
      ['2', true],
    ]);
    expect(lastBlocks(state)).toEqual([says('I ask again.')]);
  });

  describe('that another program began', () => {
    const capabilities = { elicitation: { form: true } } as const;
    const left: ConversationState = {
      ...newConversation('c', [hello, { role: 'assistant', content: [calls('1', 'ask_colour')] as never }]),
      awaiting: [{ callId: '1', toolName: 'ask_colour', at: 0 }],
    };
    /** A turn that finds what `find` finds, and who answers the question. */
    const goOn = (
      find: (manager: SessionManager) => ReturnType<NonNullable<ChatEngineOptions['find']>>,
      stopped?: Operation<void>,
    ) => {
      const { events, emit: collect } = collector();
      const asked: string[] = [];
      let session: Session | undefined;
      // The person answers as soon as the chat has shown the question.
      const emit = function* (event: ChatEvent) {
        yield* collect(event);
        if (event.type === 'plugin_elicit_request')
          yield* session?.respond(event.elicitId, { action: 'accept', content: { colour: 'blue' } }) ?? [];
      };
      const turn = withManager((manager) =>
        createChatEngine({
          ...ending(manager, scriptedModel([[says('Blue it is.')]])),
          waiting: { mode: 'stay', capabilities, *open() {} },
          sessionId: (callId, conversation) => `${callId}@${conversation}`,
          *find(id) {
            asked.push(id);
            const found = yield* find(manager);
            if (found && !('type' in found)) session = found;
            return found;
          },
        }).turn({ state: left, message: hello }, emit, stopped),
      );
      return { turn, events, asked };
    };

    it('goes on in this one, from where it is: what happened before is no news', async () => {
      const { turn, events, asked } = goOn(function* (manager) {
        const session = yield* manager.create({
          ...{ tool: askColour, params: {}, capabilities },
          ...{ callId: '1@c', conversation: 'c' },
        });
        yield* session.nextEvent(1);
        return session;
      });
      expect(resultsOf((await turn).messages[2])).toEqual([['1', 'The user likes blue', false]]);
      expect(asked).toEqual(['1@c']);
      expect(events.map(({ type }) => type)).toEqual([
        'plugin_elicit_request',
        'tool_result',
        'text',
        'turn_end',
      ]);
      expect(events[0]).toMatchObject({ callId: '1' });
    });

    it.each([
      ['as it ended', { at: 3, time: 1, type: 'result', value: 'red' } as const, 'red', false],
      [
        'as stopped',
        { at: 3, time: 1, type: 'aborted', reason: 'enough' } as const,
        'The call was stopped: enough. Do not run it again unless the user asks.',
        true,
      ],
    ])('and is over is told %s', async (_, end, text, isError) => {
      const { turn, events } = goOn(function* () {
        return end;
      });
      expect(resultsOf((await turn).messages[2])).toEqual([['1', text, isError]]);
      expect(events.some(({ type }) => type === 'plugin_session_error')).toBe(false);
    });

    it('and is nowhere is lost', async () => {
      const { turn } = goOn(function* () {
        return undefined;
      });
      expect(resultsOf((await turn).messages[2])[0]).toEqual(['1', expect.stringContaining('lost'), true]);
    });

    it('stays where it is when the turn is stopped before it is found', async () => {
      const { turn } = goOn(() => suspend() as Operation<never>, sleep(1));
      expect(await turn).toMatchObject({ awaiting: left.awaiting, queued: [hello] });
    });
  });

  it('has a session of its own beside a call with the same id in another conversation', async () => {
    const ids = await withManager(function* (manager) {
      const ended: string[] = [];
      for (const id of ['a', 'b']) {
        const engine = createChatEngine({
          ...ending(manager, scriptedModel([[calls('call_1', 'ask_colour')]])),
          sessionId: (callId, conversation) => `${callId}@${conversation}`,
        });
        const { events, emit } = collector();
        yield* engine.turn({ state: newConversation(id), message: hello }, emit);
        expect(events.find(({ type }) => type === 'plugin_elicit_request')).toMatchObject({
          callId: 'call_1',
          sessionId: `call_1@${id}`,
        });
        ended.push(...manager.listActive().map((session) => session.id));
      }
      return ended;
    });
    expect(ids).toEqual(['call_1@a', 'call_1@a', 'call_1@b']);
  });

  it('is out of reach for another principal', async () => {
    await withManager(function* (manager) {
      const own = createChatEngine({ ...ending(manager, script()), principal: 'ann' });
      const waiting = yield* own.turn({ state: newConversation('c'), message: hello }, collector().emit);
      const other = createChatEngine({ ...ending(manager, scriptedModel([[says('?')]])), principal: 'bob' });
      const { events, emit } = collector();
      yield* other.turn({ state: waiting }, emit);
      expect(events[0]).toMatchObject({ type: 'plugin_session_error', error: 'SESSION_NOT_FOUND' });
      expect(manager.listActive()).toHaveLength(1);
    });
  });
});

describe('a turn that is stopped', () => {
  it('keeps what the model had said', async () => {
    await withManager(function* (manager) {
      const stop = withResolvers<void>();
      const engine = createChatEngine(ending(manager, scriptedModel(['hang'])));
      const state = yield* engine.turn(
        { state: newConversation('c'), message: hello },
        function* (event) {
          if (event.type === 'text') stop.resolve();
        },
        stop.operation,
      );
      expect(lastBlocks(state)).toEqual([says('Let me th')]);
    });
  });

  it('leaves an open question answerable, and the next turn picks its session up', async () => {
    await withManager(function* (manager) {
      const model = scriptedModel([[calls('1', 'ask_colour')], [says('nice')]]);
      const engine = createChatEngine({
        manager,
        model,
        tools: () => [askColour, add],
        waiting: { mode: 'stay', capabilities: { elicitation: { form: true as const } }, *open() {} },
      });
      const stop = withResolvers<void>();
      const stopped = yield* engine.turn(
        { state: newConversation('c'), message: hello },
        function* (event) {
          if (event.type === 'plugin_elicit_request') stop.resolve();
        },
        stop.operation,
      );
      expect(stopped.awaiting).toMatchObject([{ callId: '1' }]);

      const session = manager.get({ callId: '1', conversation: 'c' });
      const [question] = session?.openAsks() ?? [];
      session?.respondToElicit(question?.id ?? '', { action: 'accept', content: { colour: 'red' } });
      if (session) yield* spawn(() => drive(session, nobody, 'end'));

      const state = yield* engine.turn({ state: stopped }, collector().emit);
      expect(resultsOf(state.messages[2])).toEqual([['1', 'The user likes red', false]]);
      expect(lastBlocks(state)).toEqual([says('nice')]);
    });
  });
});

describe('a turn whose model fails', () => {
  it('is kept as far as it came, with the results of its tools', async () => {
    await withManager(function* (manager) {
      let ran = 0;
      const once = createMcpTool('once')
        .description('Is not to run twice')
        .parameters(z.object({}))
        .elicits({})
        .execute(function* () {
          return `run ${++ran}`;
        });
      const model = scriptedModel([[calls('1', 'once')]]);
      const engine = createChatEngine({ ...ending(manager, model), tools: () => [once] });
      const { events, emit } = collector();
      const state = yield* engine.turn({ state: newConversation('c'), message: hello }, emit);
      expect(events.at(-1)).toMatchObject({
        type: 'turn_end',
        reason: 'failed',
        error: { message: 'the script has no answer 2' },
      });
      expect(state.messages).toHaveLength(3);
      expect(resultsOf(state.messages[2])).toEqual([['1', 'run 1', false]]);

      const next = scriptedModel([[says('It is done already.')]]);
      const after = yield* createChatEngine({ ...ending(manager, next), tools: () => [once] }).turn(
        { state, message: { role: 'user', content: says('go on') } },
        collector().emit,
      );
      expect(next.requests[0]?.messages).toHaveLength(4);
      expect(lastBlocks(after)).toEqual([says('It is done already.')]);
      expect(ran).toBe(1);
    });
  });
});

describe('an answer that uses an id of a call twice', () => {
  it('gets each result for its own call, and an answer reaches its own question', async () => {
    await withManager(function* (manager) {
      const model = scriptedModel([
        [calls('call', 'ask_colour'), calls('call', 'add', { a: 1, b: 1 }), calls('', 'add', { a: 2, b: 2 })],
        [calls('call', 'add', { a: 3, b: 3 })],
        [says('done')],
      ]);
      const engine = createChatEngine(ending(manager, model));
      const waiting = yield* engine.turn({ state: newConversation('c'), message: hello }, collector().emit);
      const [call] = waiting.awaiting;
      const state = yield* engine.turn(
        {
          state: waiting,
          pluginElicitResponses: [
            {
              sessionId: call?.callId ?? '',
              elicitId: call?.question?.id ?? '',
              result: { action: 'accept', content: { colour: 'red' } },
            },
          ],
        },
        collector().emit,
      );
      expect(resultsOf(state.messages[2])).toEqual([
        ['call', 'The user likes red', false],
        ['call_2', '2', false],
        ['call_3', '4', false],
      ]);
      expect(resultsOf(state.messages[4])).toEqual([['call_4', '6', false]]);
    });
  });
});

describe('a result that is longer than the model has room for', () => {
  it('is cut, and says so', async () => {
    await withManager(function* (manager) {
      const long = createMcpTool('long')
        .description('Says a lot')
        .parameters(z.object({}))
        .elicits({})
        .execute(function* () {
          return 'x'.repeat(5000);
        });
      const model = scriptedModel([[calls('1', 'long')], [says('long')]]);
      const engine = createChatEngine({ ...ending(manager, model), tools: () => [long], maxResult: 1000 });
      const { events, emit } = collector();
      const state = yield* engine.turn({ state: newConversation('c'), message: hello }, emit);
      const [[, text = ''] = []] = resultsOf(state.messages[2]);
      expect(String(text)).toMatch(/^x{1000}\n\[Cut: 4000 of 5000 characters are left out/);
      expect(JSON.stringify(events)).not.toContain('x'.repeat(1001));
    });
  });
});

describe('a conversation that is longer than the model has room for', () => {
  it('is shortened before the model is asked, which the turn says once', async () => {
    await withManager(function* (manager) {
      const model = scriptedModel([[calls('1', 'add', { a: 1, b: 2 })], [says('three')]]);
      const engine = createChatEngine({ ...ending(manager, model), maxHistory: 2000 });
      const old = { role: 'user', content: { type: 'text', text: 'x'.repeat(5000) } } as const;
      const { events, emit } = collector();
      const state = yield* engine.turn({ state: newConversation('c', [old]), message: hello }, emit);
      expect(events.filter(({ type }) => type === 'history_shortened')).toHaveLength(1);
      expect(JSON.stringify(model.requests)).not.toContain('xxx');
      expect(JSON.stringify(state)).not.toContain('xxx');
      expect(state.messages.at(-1)).toMatchObject({ role: 'assistant' });
    });
  });
});
