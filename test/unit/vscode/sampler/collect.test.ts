import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/vscode/calls/sampler/collect.ts';

describe('a collector', () => {
  it('gives plain text as one block', () => {
    const collector = createCollector();
    collector.add({ type: 'text', text: 'Take ' });
    collector.add({ type: 'text', text: 'the tram.' });
    expect(collector.answer('demo/one')).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Take the tram.' },
      model: 'demo/one',
      stopReason: 'endTurn',
    });
  });

  it('gives tool calls after the text', () => {
    const collector = createCollector();
    collector.add({ type: 'call', id: '1', name: '__schema__', input: { n: 1 } });
    collector.add({ type: 'text', text: 'Here' });
    expect(collector.answer('m')).toMatchObject({
      content: [
        { type: 'text', text: 'Here' },
        { type: 'tool_use', id: '1', name: '__schema__', input: { n: 1 } },
      ],
      stopReason: 'toolUse',
    });
  });

  it.each([
    [undefined, {}],
    ['', {}],
    ['{"n":1}', { n: 1 }],
    ['{"n":', { arguments: '{"n":' }],
    [['a'], { arguments: ['a'] }],
    [7, { arguments: 7 }],
  ])('gives a tool an object, whatever its model gave it (%j)', (input, given) => {
    const collector = createCollector();
    collector.add({ type: 'call', id: undefined as never, name: 'f', input: input as never });
    expect(collector.answer('m').content).toMatchObject([
      { type: 'tool_use', id: '', name: 'f', input: given },
    ]);
  });

  it('stops at the first stop sequence, also one that came in pieces', () => {
    const collector = createCollector(['###', 'END']);
    expect(collector.add({ type: 'text', text: 'one #' })).toBe(false);
    expect(collector.add({ type: 'text', text: '## two END' })).toBe(true);
    expect(collector.add({ type: 'text', text: 'three' })).toBe(true);
    expect(collector.answer('m')).toMatchObject({
      content: { type: 'text', text: 'one ' },
      stopReason: 'stopSequence',
    });
  });

  it('keeps images and ignores other data', () => {
    const collector = createCollector();
    collector.add({ type: 'data', bytes: new Uint8Array([0, 1, 2]), mimeType: 'image/png' });
    collector.add({ type: 'data', bytes: new Uint8Array([1]), mimeType: 'application/x-usage' });
    expect(collector.answer('m').content).toEqual([{ type: 'image', data: 'AAEC', mimeType: 'image/png' }]);
  });
});
