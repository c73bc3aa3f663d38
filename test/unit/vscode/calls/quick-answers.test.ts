import { describe, expect, it } from 'vitest';
import type { Question } from '#src/panel-port/index.ts';
import { noticeText } from '#src/vscode/calls/notices/notice-text.ts';
import { quickAnswers } from '#src/vscode/calls/notices/quick-answers.ts';

type Properties = Extract<Question['body'], { kind: 'form' }>['schema']['properties'];

const t = (text: string) => text;
const asking = (properties: Properties, more: Partial<Question> = {}): Question => ({
  id: 'q',
  attempt: 1,
  message: 'Which one?',
  number: 1,
  openedAt: 0,
  body: { kind: 'form', schema: { type: 'object', properties } },
  ...more,
});
const answersOf = (properties: Properties, more?: Partial<Question>) =>
  quickAnswers(asking(properties, more), t).map(({ label, reply }) => [
    label,
    reply.action === 'accept' ? reply.content : reply.action,
  ]);
const colors = { color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] } } as const;

describe('the buttons of a notification', () => {
  it('are the answers to a question with few', () => {
    expect(answersOf({})).toEqual([
      ['Yes', {}],
      ['No', 'decline'],
    ]);
    expect(answersOf({ sure: { type: 'boolean' } })).toEqual([
      ['Yes', { sure: true }],
      ['No', { sure: false }],
    ]);
    expect(answersOf(colors)).toEqual([
      ['Red', { color: 'r' }],
      ['Green', { color: 'g' }],
    ]);
    const oneOf = ['a', 'b', 'c'].map((value) => ({ const: value, title: value.toUpperCase() }));
    expect(answersOf({ one: { type: 'string', oneOf } })).toEqual([
      ['A', { one: 'a' }],
      ['B', { one: 'b' }],
      ['C', { one: 'c' }],
    ]);
  });

  it.each<[string, Properties, Partial<Question>?]>([
    ['a text is asked for', { name: { type: 'string' } }],
    ['there are two fields', { ...colors, sure: { type: 'boolean' } }],
    ['there are four choices', { n: { type: 'string', enum: ['1', '2', '3', '4'] } }],
    ['two choices look the same', { n: { type: 'string', enum: ['a', 'b'], enumNames: ['x', 'x'] } }],
    ['a label is long', { n: { type: 'string', enum: ['a'.repeat(41), 'b'] } }],
    ['a label has what cannot be seen', { n: { type: 'string', enum: ['No\u202e', 'b'] } }],
    ['a field is explained', { sure: { type: 'boolean', description: 'It cannot be undone.' } }],
    [
      'a choice is shown',
      { n: { type: 'string', oneOf: [{ const: 'a', title: 'A', preview: { kind: 'code', text: 'x' } }] } },
    ],
    ['there is context to look at', {}, { context: { files: 3 } }],
    ['the message goes on', {}, { message: `Delete?${' and more'.repeat(40)}` }],
    ['the message has lines', {}, { message: 'Delete?\nAll of it' }],
    ['the message has a link', {}, { message: 'See [this](https://example.org)' }],
    ['it is asked again', {}, { problem: 'That did not fit.' }],
    ['something is said above it', {}, { notice: 'Runs an older version.' }],
    ['Parley asks for approval', {}, { key: 'approval' }],
    ['a view asks', {}, { body: { kind: 'busy' } }],
  ])('are none where %s', (_why, properties, more) => {
    expect(answersOf(properties, more)).toEqual([]);
  });
});

it('what others say is no link in a notification, and one short line', () => {
  expect(noticeText('[Free](command:x)\n\u200bnow')).toBe('[Free] (command:x) now');
  expect(noticeText('x'.repeat(200))).toHaveLength(161);
});
