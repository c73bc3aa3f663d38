import { describe, expect, it } from 'vitest';
import { newConversation } from '#src/chat/state.ts';
import { followUps, showQuestion } from '#src/vscode/agents/participant/follow-ups.ts';
import type { Origin } from '#src/vscode/calls/asker.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';

const t = (message: string, ...values: string[]) => message.replace('{0}', values[0] ?? '');

function call(title: string, kind: Origin, asks: boolean, id = 'c@1') {
  const shown: string[] = [];
  const panel = {
    store: { get: () => ({ question: asks ? {} : undefined }) },
    show: () => shown.push(title),
  };
  return { entry: { id, title, asker: { kind, name: 'x' }, panel } as unknown as CallEntry, shown };
}

describe('what @parley offers after a turn', () => {
  it('is to go on, where it stopped before it was done', () => {
    for (const reason of ['iteration_limit', 'failed']) {
      expect(followUps({ reason }, [], t)).toEqual([{ prompt: 'Continue', label: 'Continue' }]);
    }
    expect(followUps({ reason: 'complete' }, [], t)).toEqual([]);
    expect(followUps(undefined, [], t)).toEqual([]);
  });

  it('is to go on with a call that is over, and first to answer it', () => {
    const conversation = { ...newConversation('1'), awaiting: [{ callId: '1', toolName: 'ask', at: 0 }] };
    expect(followUps({ conversation }, [], t)).toEqual([{ prompt: 'Continue', label: 'Continue' }]);
    const { entry } = call('A', 'chat', true);
    expect(followUps({ conversation }, [entry], t)).toMatchObject([{ command: 'show' }]);
    expect(followUps({ conversation: newConversation('1') }, [], t)).toEqual([]);
  });

  it('is the question that a call of the chat asks, and not that of anybody else', () => {
    const others = [call('A', 'agent', true), call('B', 'chat', false)].map(({ entry }) => entry);
    expect(followUps({}, others, t)).toEqual([]);
    const { entry, shown } = call('C*', 'chat', true);
    expect(followUps({}, [...others, entry], t)).toEqual([
      { prompt: '', command: 'show', label: 'Show question' },
    ]);
    expect(showQuestion([...others, entry], t)).toBe('“C\\*” is waiting for your answer in its panel.');
    expect(shown).toEqual(['C*']);
    expect(showQuestion(others, t)).toBe('No questions are waiting for an answer.');
  });

  it('is the question of this chat, not of another one; /show goes there, too, where this one asks nothing', () => {
    const [own, other] = [call('Own', 'chat', true, 'c@1'), call('Other', 'chat', true, 'c@2')];
    const calls = [own.entry, other.entry];
    expect(followUps({ conversation: newConversation('3') }, calls, t)).toEqual([]);
    expect(followUps({ conversation: newConversation('1') }, calls, t)).toHaveLength(1);
    showQuestion(calls, t, '1');
    showQuestion(calls, t, '3');
    expect([own.shown, other.shown]).toEqual([['Own'], ['Other']]);
  });
});
