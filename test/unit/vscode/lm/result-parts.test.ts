import { describe, expect, it } from 'vitest';
import type { EndEvent } from '#src/runtime/session/events.ts';
import { resultParts } from '#src/vscode/agents/lm/result-parts.ts';

const result = (value: unknown) => ({ type: 'result', at: 1, time: 0, value }) as EndEvent;

describe('resultParts', () => {
  it('gives text as text, data as JSON, images as data', () => {
    expect(resultParts('c', result('done'))).toEqual([{ type: 'text', text: 'done' }]);
    expect(resultParts('c', result({ a: [1] }))).toEqual([{ type: 'text', text: '{"a":[1]}' }]);
    expect(resultParts('c', result([{ type: 'image', data: 'AQI=', mimeType: 'image/png' }]))).toEqual([
      { type: 'data', bytes: new Uint8Array([1, 2]), mimeType: 'image/png' },
    ]);
  });

  it('says that there is nothing, where a tool returned nothing', () => {
    expect(resultParts('c', result(undefined))).toEqual([
      { type: 'text', text: 'The tool is done. It returned nothing.' },
    ]);
  });

  it('throws what went wrong, in words for the model', () => {
    const error: EndEvent = {
      type: 'error',
      at: 1,
      time: 0,
      error: { name: 'Error', message: 'no such port' },
    };
    expect(() => resultParts('c', error)).toThrow('The tool failed: no such port');
  });

  it('says that a person stopped it, and that it shall stay so, and throws nothing', () => {
    for (const reason of ['the user stopped it', 'the user stopped it.']) {
      const aborted: EndEvent = { type: 'aborted', at: 1, time: 0, reason };
      expect(resultParts('c', aborted)).toEqual([
        {
          type: 'text',
          text: 'The call was stopped: the user stopped it. Do not run it again unless the user asks.',
        },
      ]);
    }
  });
});
