import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  answerForm,
  copy,
  type NamedMessage,
  patch,
  readFromHost,
  readFromPage,
  refused,
  stop,
  type ToHost,
} from '#src/panel-port/index.ts';

describe('the port', () => {
  it('delivers a message that is ours and well formed', () => {
    const sent = answerForm({
      questionId: 'q1',
      attempt: 2,
      content: { name: 'Ada', tags: ['a', 'b'], n: 1 },
    });
    expect(readFromPage(JSON.parse(JSON.stringify(sent)))).toEqual({ case: 'message', message: sent });
  });

  it('ignores what is not ours', () => {
    for (const data of [
      undefined,
      null,
      7,
      'stop',
      [],
      {},
      { name: 'stop', body: {} },
      { type: 'webpackOk' },
    ]) {
      expect(readFromPage(data)).toEqual({ case: 'foreign' });
    }
  });

  it.each([
    ['a wrong mark', { parley: 'parley/0', name: 'stop', body: {} }],
    ['no name', { parley: 'parley/1', body: {} }],
    ['an unknown name', { parley: 'parley/1', name: 'format-disk', body: {} }],
    ['no body', { parley: 'parley/1', name: 'copy' }],
    ['a body of a wrong shape', { parley: 'parley/1', name: 'copy', body: { text: 7 } }],
    ['a message of the other direction', refused({ target: 'q1', message: 'late' })],
    [
      'a value that is not JSON',
      { parley: 'parley/1', name: 'viewResponse', body: { renderId: 'r', value: () => 1 } },
    ],
  ])('reports %s as malformed', (_what, data) => {
    const received = readFromPage(data);
    expect(received.case).toBe('malformed');
    if (received.case === 'malformed') expect(received.error.code).toBe('malformed_message');
  });

  it('says what is wrong and where', () => {
    const received = readFromHost({ parley: 'parley/1', name: 'patch', body: { from: 0, version: 'x' } });
    expect(received).toMatchObject({ case: 'malformed', error: { messageName: 'patch' } });
    expect(received.case === 'malformed' && received.error.message).toMatch(/version/);
  });

  it('guards and types in one value', () => {
    const received = readFromPage(copy({ text: 'PA-7' }));
    if (received.case !== 'message') throw new Error('not delivered');
    expect(stop.is(received.message)).toBe(false);
    if (!copy.is(received.message)) throw new Error('not a copy');
    expectTypeOf(received.message.body).toEqualTypeOf<{ text: string }>();
    expect(received.message.body.text).toBe('PA-7');
    expectTypeOf<NamedMessage<'stop', Record<string, never>>>().toExtend<ToHost>();
    expectTypeOf(patch).parameter(0).toHaveProperty('from');
  });
});
