import { describe, expect, it } from 'vitest';
import type { Message } from '#src/core/messages/content.ts';
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
