import { expect, test } from 'vitest';
import { type EarlierPanel, runPlace } from '#src/vscode/calls/panel/run-place.ts';

const window = { location: 'auto', inEditor: false, pinned: () => false } as const;

function earlier(toolName: string, done: boolean, column?: number): EarlierPanel {
  const place = column === undefined ? undefined : { column, active: true };
  return { toolName, done, panel: { place, close: () => {} } };
}

test('a panel takes the place of one of its tool that is done', () => {
  const done = earlier('book', true, 2);
  expect(runPlace('book', [earlier('other', true, 1), done], window)).toEqual({
    place: 2,
    instead: done.panel,
  });
});

test.each([
  ['that still runs', earlier('book', false, 2), window],
  ['of another tool', earlier('other', true, 2), window],
  ['that is closed', earlier('book', true), window],
  ['that is pinned', earlier('book', true, 2), { ...window, pinned: (column: number) => column === 2 }],
])('it takes the place of none %s', (_which, one, now) => {
  expect(runPlace('book', [one], now)).toEqual({ place: 'front' });
});

test('it opens beside what the person reads or writes', () => {
  expect(runPlace('book', [], { ...window, inEditor: true })).toEqual({ place: 'beside' });
});

test.each([
  ['beside', 'beside'],
  ['active', 'front'],
] as const)('it opens where the person has said: %s', (location, place) => {
  for (const inEditor of [true, false]) {
    expect(runPlace('book', [], { ...window, location, inEditor })).toEqual({ place });
  }
});
