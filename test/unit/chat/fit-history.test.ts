import { describe, expect, it } from 'vitest';
import { fitHistory } from '#src/chat/fit-history.ts';
import type { Message } from '#src/core/messages/content.ts';

const says = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  content: { type: 'text', text },
});
const calls = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 't', input: {} }],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});
const long = 'x'.repeat(1000);

describe('a conversation that is longer than the model has room for', () => {
  const three = [1, 2, 3].flatMap((turn) => [
    says('user', `question ${turn}`),
    calls(`c${turn}`),
    result(`c${turn}`, long),
    says('assistant', `answer ${turn}`),
  ]);

  it('stays as it is while it fits', () => {
    expect(fitHistory(three, 10_000)).toEqual({ messages: three, shortened: false });
  });

  it('loses its oldest turns, each as a whole, and says so to the model', () => {
    const { messages, shortened } = fitHistory(three, 3000);
    expect(shortened).toBe(true);
    expect(JSON.stringify(messages[0])).toContain('beginning of this conversation is left out');
    expect(messages.slice(1)).toEqual(three.slice(4));
  });

  it('keeps the turn that is under way, without its oldest results', () => {
    const turn = [
      says('user', 'go'),
      ...[1, 2, 3].flatMap((at) => [calls(`c${at}`), result(`c${at}`, long)]),
    ];
    const { messages } = fitHistory([...three, ...turn], 2500);
    const text = JSON.stringify(messages);
    expect(messages).toHaveLength(turn.length + 1);
    expect(text.match(/This result is left out/g)).toHaveLength(2);
    expect(JSON.stringify(messages.at(-1))).toContain(long);
    expect(text.length).toBeLessThan(2500);
  });

  it('leaves no result without its call, wherever it is cut', () => {
    const conversation = [...three, says('user', 'go'), calls('c4'), result('c4', long)];
    for (let most = 0; most < 6000; most += 50) {
      const { messages } = fitHistory(conversation, most);
      const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [content]));
      const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
      expect(answered).toEqual(ids);
      expect(ids).toContain('c4');
    }
  });
});
