import { describe, expect, it } from 'vitest';
import type { ConversationState } from '#src/chat/state.ts';
import { createConversations, type PastTurn } from '#src/vscode/agents/participant/conversation.ts';

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
    const { state: first } = conversations.find([]);
    expect(first).toMatchObject({ messages: [], awaiting: [] });
    expect(conversations.find([]).state.id).not.toBe(first.id);
  });

  it('is that of the last turn, and survives the JSON of a reload', () => {
    const history = [said('a'), answered('A', state('1')), said('b'), answered('B', state('2'))];
    const reloaded = JSON.parse(JSON.stringify(history)) as PastTurn[];
    expect(createConversations().find(reloaded).state).toEqual(state('2'));
  });

  it('is what a stopped turn left, though the editor threw its result away, and only once', () => {
    const conversations = createConversations();
    const before = [said('a'), answered('A', state('1'))];
    conversations.keepStopped(before, 'b', state('stopped'));
    const after = [...before, said('b'), answered('half')];
    expect(conversations.find(after).state).toEqual(state('stopped'));
    expect(conversations.find(after).state).toEqual(state('1'));
  });

  it('is found again when the very first turn was stopped', () => {
    const conversations = createConversations();
    conversations.keepStopped([], 'a', state('stopped'));
    expect(conversations.find([said('other'), answered('')]).state.id).not.toBe('stopped');
    expect(conversations.find([said('a'), answered('')]).state).toEqual(state('stopped'));
  });

  it('begins with what was said, when nobody knows it', () => {
    const history = [said('hello'), answered('hi'), said('  '), answered('')];
    expect(createConversations().find(history).state.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'hello' } },
      { role: 'assistant', content: { type: 'text', text: 'hi' } },
    ]);
  });

  it('takes nothing that is not a state for one', () => {
    const turn: PastTurn = { type: 'response', text: '', metadata: { conversation: { id: 'x' } } };
    expect(createConversations().find([said('a'), turn]).state.id).not.toBe('x');
  });

  it('forgets the oldest of many stopped ones', () => {
    const conversations = createConversations();
    for (let at = 0; at < 60; at++) conversations.keepStopped([], `p${at}`, state(`s${at}`));
    expect(conversations.find([said('p0'), answered('')]).state.id).not.toBe('s0');
    expect(conversations.find([said('p59'), answered('')]).state.id).toBe('s59');
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
    expect(createConversations(store).find([said('a'), answered('half')]).state).toEqual(state('cut short'));
    expect(disk).toBe('[]');
    const next = createConversations(store);
    next.keepStopped([], 'b', state('running'));
    next.forget([], 'b');
    expect(disk).toBe('[]');
  });

  describe('whose last turn the editor dropped, because the window was closed on it', () => {
    const runs = (id: string): ConversationState => ({
      ...state(id),
      awaiting: [{ callId: '1', toolName: 'ask', at: 0 }],
    });
    const before = [said('a'), answered('A', state('1'))];
    const nextWindow = (kept: ConversationState, history = before) => {
      let disk: unknown = [];
      const store = {
        read: () => disk,
        write: (value: unknown) => (disk = JSON.parse(JSON.stringify(value))),
      };
      const window = createConversations(store);
      window.keepStopped(history, 'b', kept);
      return { window, next: createConversations(store) };
    };

    it('goes on with it, once, and with what was said in it', () => {
      const { next } = nextWindow(runs('1'));
      expect(next.find(before)).toEqual({ state: runs('1'), cutOff: 'b' });
      expect(next.find(before)).toEqual({ state: state('1') });
    });

    it.each([
      ['no call of it ran', state('1'), before, before],
      ['it is another conversation', runs('2'), before, before],
      ['more was said since', runs('1'), before, [...before, said('c'), answered('C', state('1'))]],
      ['it was said later', runs('1'), [...before, said('c'), answered('C', state('1'))], before],
      ['something else was said before', runs('1'), [said('x'), answered('X', state('1'))], before],
    ])('does not where %s', (_, kept, then, now) => {
      expect(nextWindow(kept, then).next.find(now)).toEqual({ state: state('1') });
    });

    it('does not once the same was said again, and is over', () => {
      const { next } = nextWindow(runs('1'));
      next.keepStopped(before, 'b', state('1'));
      expect(next.find(before)).toEqual({ state: state('1') });
    });

    it('does not in the window that stopped it: the person may have taken the turn back', () => {
      expect(nextWindow(runs('1')).window.find(before)).toEqual({ state: state('1') });
    });
  });

  it.each([undefined, 'x', [['a']], [[1, state('x')]], [null, ['a', { id: 'x' }]]])(
    'takes nothing from %j, which another version may have kept',
    (left) => {
      const conversations = createConversations({ read: () => left, write() {} });
      expect(conversations.find([said('a'), answered('')]).state.id).not.toBe('x');
    },
  );
});
