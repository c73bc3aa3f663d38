import { describe, expect, it } from 'vitest';
import type { Message } from '#src/core/messages/content.ts';
import { afterHistory, growsFrom } from '#src/runtime/data/json-messages.ts';
import { flattenToolBlocks } from '#src/runtime/sampling/flatten.ts';
import { assistant, calls, user } from './scripted-model.ts';

describe('tool calls told as text', () => {
  it('leave messages without any as they are', () => {
    const messages = [user('a'), assistant('b')];
    expect(flattenToolBlocks(messages)).toBe(messages);
  });

  it('keep the text beside them, and the order', () => {
    const message: Message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'I think.' }, calls('move', { cell: 1 })],
    };
    expect(flattenToolBlocks([message])).toEqual([assistant('I think.\nI call move with {"cell":1}')]);
  });

  it('keep what results hold', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;
    const resource = { type: 'resource', resource: { uri: 'file:///b', text: 'inside b' } } as const;
    const content = [{ type: 'tool_result', toolUseId: '1', content: [image, link, resource] }] as const;
    expect(flattenToolBlocks([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [image, { type: 'text', text: 'a: file:///a' }, { type: 'text', text: 'inside b' }],
      },
    ]);
  });
});

describe('a history that grows', () => {
  const said = (text: string): Message => ({ role: 'user', content: { type: 'text', text } });

  it('is looked through once, however often a model is asked after it', () => {
    let looks = 0;
    const counted = (): Message => ({
      role: 'user',
      get content() {
        looks += 1;
        return { type: 'text' as const, text: 'hi' };
      },
    });
    let history: readonly Message[] = [counted()];
    for (let n = 0; n < 200; n++) {
      const grown = Object.freeze([...history, counted()]);
      growsFrom(grown, history);
      history = grown;
      const asked = afterHistory(history, said('and?'));
      expect(flattenToolBlocks(asked)).toBe(asked);
    }
    expect(looks).toBeLessThan(1_000);
  });

  it('that began with the call of a tool is told as text each time', () => {
    const toolCall: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }],
    };
    const begun = [said('look'), toolCall];
    const grown = Object.freeze([...begun, said('well?')]);
    growsFrom(grown, begun);
    for (let n = 0; n < 3; n++)
      expect(JSON.stringify(flattenToolBlocks(afterHistory(grown, said('and?'))))).not.toContain('tool_use');
  });
});
