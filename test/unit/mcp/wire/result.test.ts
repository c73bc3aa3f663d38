import { describe, expect, it } from 'vitest';
import { callResultOf, encodeAborted, encodeError, encodeResult } from '#src/mcp/wire/result.ts';

describe('what a tool returned', () => {
  it.each([
    ['text', 'done', [{ type: 'text', text: 'done' }]],
    ['nothing', undefined, []],
    ['a number', 7, [{ type: 'text', text: '7' }]],
    ['an object', { a: 1 }, [{ type: 'text', text: '{"a":1}' }]],
    ['an empty list', [], [{ type: 'text', text: '[]' }]],
    ['a block', { type: 'text', text: 'hi' }, [{ type: 'text', text: 'hi' }]],
    [
      'something like a block',
      { type: 'text', body: 'hi' },
      [{ type: 'text', text: '{"type":"text","body":"hi"}' }],
    ],
  ])('is content: %s', (_what, value, content) => {
    expect(encodeResult(value, false)).toEqual({ content });
  });

  it('is structured content beside its text with an output schema', () => {
    expect(encodeResult({ ticket: 'X' }, true)).toEqual({
      content: [{ type: 'text', text: '{"ticket":"X"}' }],
      structuredContent: { ticket: 'X' },
    });
  });

  it('is taken whole when it says itself what the model reads', () => {
    const whole = {
      content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }],
      structuredContent: { size: 1 },
      _meta: { 'example/trace': '1' },
    } as const;
    expect(encodeResult(whole, false)).toEqual(whole);
  });
});

it('a text of another server stays one, though its tool is listed with an output schema', () => {
  const value = { content: [{ type: 'text', text: 'hi' }] };
  const shape = { structured: true, foreign: { server: 's', tool: 't' } };
  expect(callResultOf('s__t', shape, { type: 'result', value } as never)).toEqual(value);
});

describe('what a failed call tells the model', () => {
  it('is the message of an error of Parley: it says what to do', () => {
    const error = { name: 'ParamsInvalidError', code: 'PARAMS_INVALID', message: 'call it again with a row' };
    expect(encodeError('book', error)).toEqual({
      content: [{ type: 'text', text: 'call it again with a row' }],
      isError: true,
    });
  });

  it('names the tool, and neither stack nor cause, for any other error', () => {
    const error = {
      name: 'Error',
      message: 'no seats',
      stack: 'Error: no seats\n    at secret.ts:1',
      cause: { name: 'Error', message: 'password=1' },
    };
    const text = JSON.stringify(encodeError('book', error));
    expect(text).toContain('book failed: no seats');
    expect(text).not.toMatch(/secret|password/);
  });

  it.each([
    [
      'the user stopped it',
      'book was stopped: the user stopped it. Do not run it again unless the user asks.',
    ],
    ['Ended: why.', 'book was stopped: Ended: why. Do not run it again unless the user asks.'],
    [
      'it made room for newer calls: 40 are kept. Make the call again.',
      'book was stopped: it made room for newer calls: 40 are kept. Make the call again.',
    ],
  ])('says why a call was stopped, and what to do, with one full stop: %s', (reason, text) => {
    expect(encodeAborted('book', reason)).toEqual({ isError: true, content: [{ type: 'text', text }] });
  });
});
