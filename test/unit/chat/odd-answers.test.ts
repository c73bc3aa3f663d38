import type { Operation } from 'effection';
import { describe, expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatModel, ChatModelRequest } from '#src/chat/model.ts';
import { limited } from '#src/chat/results.ts';
import { type ConversationState, newConversation } from '#src/chat/state.ts';
import type { Message } from '#src/core/index.ts';
import type { SampleAnswer } from '#src/core/tool/ask.ts';
import { calls, collector, ending, says, withManager } from './rig.ts';

const user = (text: string): Message => ({ role: 'user', content: { type: 'text', text } });

/** A model of which nobody knows what it answers. */
function oddModel(answers: readonly unknown[]): ChatModel & { readonly requests: ChatModelRequest[] } {
  const requests: ChatModelRequest[] = [];
  return {
    requests,
    *respond(request): Operation<SampleAnswer> {
      requests.push(request);
      return answers[requests.length - 1] as SampleAnswer;
    },
  };
}

const answer = (content: unknown) => ({ role: 'assistant', content, model: 'odd' });

/** Two turns of one conversation: what the model was sent in the second, and how the first ended. */
async function twoTurns(first: unknown) {
  const model = oddModel([first, answer(says('well'))]);
  const { events, emit } = collector();
  await withManager(function* (manager) {
    const engine = createChatEngine(ending(manager, model));
    let state: ConversationState = newConversation('c');
    for (const text of ['one', 'two']) state = yield* engine.turn({ state, message: user(text) }, emit);
  });
  return { sent: model.requests[1]?.messages, end: events.find(({ type }) => type === 'turn_end') };
}

describe('a result that is too long', () => {
  it('is cut, in text and in resources alike, and says so', () => {
    const result = {
      type: 'tool_result',
      toolUseId: '1',
      content: [
        { type: 'text', text: 'a'.repeat(600) },
        { type: 'resource', resource: { uri: 'a:b', text: 'b'.repeat(5000) } },
        { type: 'resource', resource: { uri: 'a:c', blob: 'aGk=' } },
      ],
    } as const;
    const [text, cut, blob] = limited(result, 1000).content;
    expect([text, blob]).toEqual([result.content[0], result.content[2]]);
    expect(cut).toMatchObject({
      resource: { uri: 'a:b', text: expect.stringMatching(/^b{400}\n\[Cut: 4600 of 5000/) },
    });
  });
});

describe('an answer of a model', () => {
  it.each([
    ['nothing', []],
    ['blank text', says(' \n ')],
    ['a list of blank text', [says(''), says('\t')]],
  ])('that is %s leaves a message that every provider takes', async (_what, content) => {
    const { sent, end } = await twoTurns(answer(content));
    expect(end).toMatchObject({ reason: 'complete' });
    const said = sent?.[1];
    expect([said?.content].flat()).toEqual([says('(no answer)')]);
  });

  it('that calls tools beside blank text keeps the calls alone', async () => {
    const model = oddModel([answer([says(' '), calls('1', 'add', { a: 1, b: 2 })]), answer(says('3'))]);
    await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn(
        { state: newConversation('c'), message: user('add') },
        collector().emit,
      ),
    );
    expect(model.requests[1]?.messages[1]?.content).toEqual([calls('1', 'add', { a: 1, b: 2 })]);
  });

  it('that calls a tool of a very long name is told so in few words', async () => {
    const model = oddModel([answer(calls('1', 'x'.repeat(100_000))), answer(says('well'))]);
    await withManager((manager) =>
      createChatEngine(ending(manager, model)).turn(
        { state: newConversation('c'), message: user('go') },
        collector().emit,
      ),
    );
    const told = JSON.stringify(model.requests[1]?.messages[2]);
    expect(told).toContain('There is no tool');
    expect(told.length).toBeLessThan(1000);
  });

  it.each([
    [undefined],
    [{}],
    [answer(null)],
    [answer('hello')],
    [answer([{ type: 'thinking', thinking: 'hm' }])],
    [answer([{ type: 'tool_use', name: 'add' }])],
    [answer({ type: 'tool_result' })],
  ])('that is none (%j) fails the turn in words, and the next one goes on', async (odd) => {
    const { sent, end } = await twoTurns(odd);
    expect(end).toMatchObject({
      reason: 'failed',
      error: { code: 'SAMPLING', message: expect.stringContaining('neither a content block nor a list') },
    });
    expect(sent).toEqual([user('one'), user('two')]);
  });
});
