import { expect, test } from 'vitest';
import { parsePlace, placeText } from '#src/vscode/calls/panel/place-text.ts';

test.each([
  ['src/a.ts:10-14', { path: 'src/a.ts', first: 10, last: 14 }],
  ['src/a.ts:10', { path: 'src/a.ts', first: 10, last: 10 }],
  ['src/a.ts', { path: 'src/a.ts', first: 1, last: 1 }],
  [' a b/c:d.ts:2 ', { path: 'a b/c:d.ts', first: 2, last: 2 }],
  ['a.ts:14-10', { path: 'a.ts', first: 14, last: 14 }],
  ['a.ts:0', { path: 'a.ts', first: 1, last: 1 }],
])('%s is a place', (text, place) => {
  expect(parsePlace(text)).toEqual(place);
});

test('a text without a file is none', () => {
  expect(parsePlace('  ')).toBeUndefined();
});

test('a place is written as it is read', () => {
  for (const text of ['src/a.ts:10-14', 'src/a.ts:10']) {
    const place = parsePlace(text);
    expect(place && placeText(place)).toBe(text);
  }
});
