import { describe, expect, it } from 'vitest';
import type { ConversationState } from '#src/chat/state.ts';
import { createConversations, type PastTurn } from '#src/vscode/participant/conversation.ts';

const said = (prompt: string): PastTurn => ({ type: 'request', prompt });
const answered = (text: string, conversation?: ConversationState): PastTurn => ({
  type: 'response',
  text,
  metadata: conversation && { conversation },
});
const state = (id: string): ConversationState => ({
  id,
  messages: [],
  awaiting: [],
  results: [],
  queued: [],
});

describe('the conversation of a request', () => {
  it('is new when nothing was said', () => {
    const conversations = createConversations();
    const first = conversations.find([]);
    expect(first).toMatchObject({ messages: [], awaiting: [] });
    expect(conversations.find([]).id).not.toBe(first.id);
  });

  it('is that of the last turn, and survives the JSON of a reload', () => {
    const history = [said('a'), answered('A', state('1')), said('b'), answered('B', state('2'))];
    const reloaded = JSON.parse(JSON.stringify(history)) as PastTurn[];
    expect(createConversations().find(reloaded)).toEqual(state('2'));
  });

  it('is what a stopped turn left, though the editor threw its result away, and only once', () => {
    const conversations = createConversations();
    const before = [said('a'), answered('A', state('1'))];
    conversations.keepStopped(before, 'b', state('stopped'));
    const after = [...before, said('b'), answered('half')];
    expect(conversations.find(after)).toEqual(state('stopped'));
    expect(conversations.find(after)).toEqual(state('1'));
  });

  it('is found again when the very first turn was stopped', () => {
    const conversations = createConversations();
    conversations.keepStopped([], 'a', state('stopped'));
    expect(conversations.find([said('other'), answered('')]).id).not.toBe('stopped');
    expect(conversations.find([said('a'), answered('')])).toEqual(state('stopped'));
  });

  it('begins with what was said, when nobody knows it', () => {
    const history = [said('hello'), answered('hi'), said('  '), answered('')];
    expect(createConversations().find(history).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'hello' } },
      { role: 'assistant', content: { type: 'text', text: 'hi' } },
    ]);
  });

  it('takes nothing that is not a state for one', () => {
    const turn: PastTurn = { type: 'response', text: '', metadata: { conversation: { id: 'x' } } };
    expect(createConversations().find([said('a'), turn]).id).not.toBe('x');
  });

  it('forgets the oldest of many stopped ones', () => {
    const conversations = createConversations();
    for (let at = 0; at < 60; at++) conversations.keepStopped([], `p${at}`, state(`s${at}`));
    expect(conversations.find([said('p0'), answered('')]).id).not.toBe('s0');
    expect(conversations.find([said('p59'), answered('')]).id).toBe('s59');
  });

  it('is found again in the next window, when this one was closed on it', () => {
    let disk = '[]';
    const store = {
      read: (): unknown => JSON.parse(disk),
      write: (value: unknown) => {
        disk = JSON.stringify(value);
      },
    };
    createConversations(store).keepStopped([], 'a', state('cut short'));
    expect(createConversations(store).find([said('a'), answered('half')])).toEqual(state('cut short'));
    expect(disk).toBe('[]');
    const next = createConversations(store);
    next.keepStopped([], 'b', state('running'));
    next.forget([], 'b');
    expect(disk).toBe('[]');
  });

  it.each([undefined, 'x', [['a']], [[1, state('x')]], [null, ['a', { id: 'x' }]]])(
    'takes nothing from %j, which another version may have kept',
    (left) => {
      const conversations = createConversations({ read: () => left, write() {} });
      expect(conversations.find([said('a'), answered('')]).id).not.toBe('x');
    },
  );
});
