import { expect, test } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { byTitle, titleOf } from '#src/vscode/calls/call-entry.ts';

const named = (name: string, { title, noted }: { title?: string; noted?: string } = {}): AnyTool => {
  const tool = createMcpTool(name).description('Does something.').parameters(z.object({}));
  const titled = title === undefined ? tool : tool.title(title);
  return titled
    .annotations(noted === undefined ? {} : { title: noted })
    .elicits({})
    .execute(function* () {
      return 1;
    });
};

test.each([
  ['slow_count', 'Slow count'],
  ['bookFlight', 'Book flight'],
  ['read-PDF', 'Read PDF'],
  ['count', 'Count'],
])('a tool %s without a title is called “%s”', (name, title) => {
  const tool = named(name);
  expect(titleOf(tool)).toBe(title);
  // For eyes only: nobody is told of a title that is none.
  expect(tool.def.title).toBeUndefined();
});

test('a title that is said is the one', () => {
  expect(titleOf(named('slow_count', { title: 'count slowly' }))).toBe('count slowly');
  expect(titleOf(named('slow_count', { noted: 'Counts' }))).toBe('Counts');
});

test('a title is one line of what can be seen', () => {
  expect(titleOf(named('slow_count', { title: 'Count\u202e\u001b[31m\nslowly' }))).toBe('Count slowly');
  expect(titleOf(named('slow_count', { title: '\u200b' }))).toBe('Slow count');
});

test('tools are in the order in which people read them', () => {
  const tools = [named('z_last'), named('a_thing', { title: 'Zebra' }), named('bee')];
  expect(byTitle(tools.map((tool) => ({ tool }))).map(({ tool }) => tool.name)).toEqual([
    'bee',
    'z_last',
    'a_thing',
  ]);
});
