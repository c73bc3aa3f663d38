import { expect, test } from 'vitest';
import { givenText } from '#src/vscode/calls/parameters/given.ts';

test.each([
  [{ from: 'AMS', departure_date: '2026-12-01' }, 'from: AMS, departure date: 2026-12-01'],
  [{ steps: 10, quiet: false, list: ['a', { b: 1 }] }, 'steps: 10, quiet: false, list: ["a",{"b":1}]'],
  [{ left: undefined, empty: '', zero: 0 }, 'zero: 0'],
  [{ text: 'two\nlines [here](command:x)' }, 'text: two lines [here] (command:x)'],
  [{}, ''],
  [undefined, ''],
  ['text', ''],
])('%j reads “%s”', (params, text) => {
  expect(givenText(params)).toBe(text);
});

test('secrets are masked, by the name of a parameter and by how a text looks', () => {
  const key = `sk-${'a1'.repeat(12)}`;
  const text = givenText({ apiKey: 'open sesame', note: `use ${key}`, again: 'say open sesame' });
  expect(text).toBe('api key: ***, note: ***, again: say ***');
});

test('of much there is a line', () => {
  const much = { text: 'x'.repeat(5_000_000), list: Array.from({ length: 100_000 }, (_, at) => at) };
  expect(givenText(much).length).toBeLessThan(200);
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, at]));
  expect(givenText(many).length).toBeLessThan(200);
});
