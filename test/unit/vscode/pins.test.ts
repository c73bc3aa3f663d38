import { expect, it } from 'vitest';
import { pinRow } from '#src/vscode/authoring/pins/pin-row.ts';
import { createPins } from '#src/vscode/authoring/pins/pins.ts';
import { commands, treeItems } from '#src/vscode/ids.ts';
import { menuContributions } from '#src/vscode/manifest/commands.ts';

function state(first?: unknown) {
  let kept = first;
  return {
    keys: () => [],
    get: () => kept as never,
    update: async (_key: string, value: unknown) => {
      kept = value;
    },
  };
}

it('keeps what is pinned in the order of the person', () => {
  const memento = state();
  const pins = createPins(memento);
  let told = 0;
  const stop = pins.subscribe(() => told++);
  for (const name of ['a', 'b', 'c']) pins.put(name);
  pins.swap('c', 'b');
  expect(pins.list()).toEqual(['a', 'c', 'b']);
  pins.put('b', 'a');
  expect(pins.list()).toEqual(['b', 'a', 'c']);
  pins.swap('a', 'c');
  pins.swap('a', 'gone');
  pins.swap('gone', 'a');
  pins.put('c', 'c');
  pins.remove('b');
  expect(createPins(memento).list()).toEqual(['c', 'a']);
  expect(pins.has('b')).toBe(false);
  const before = told;
  stop();
  pins.remove('c');
  expect(told).toBe(before);
});

it('takes what another version or hand has kept for what it is', () => {
  expect(createPins(state({ a: 1 })).list()).toEqual([]);
  expect(createPins(state(['a', 7, null])).list()).toEqual(['a']);
});

it.each(['', treeItems.ownTool])('can be moved to where a tool is on show, and no further', (own) => {
  /** Whether the menu of a row has a command. */
  const offers = (command: string, row: string): boolean => {
    const { when = '' } =
      menuContributions['view/item/context'].find((item) => item.command === command) ?? {};
    const [, pattern = ''] = /viewItem =~ \/(.*)\/$/.exec(when) ?? [];
    return new RegExp(pattern).test(row + own);
  };
  const pins = createPins(state(['gone', 'a', 'b', 'lost', 'c', 'away']));
  const isThere = (name: string) => ['a', 'b', 'c'].includes(name);
  const moves = () =>
    pins.list().flatMap((name) => {
      if (!isThere(name)) return [];
      const row = pinRow(pins, name, isThere);
      expect(offers(commands.unpinTool, row)).toBe(true);
      expect(offers(commands.pinTool, row)).toBe(false);
      return [[name, offers(commands.movePinUp, row), offers(commands.movePinDown, row)]];
    });
  expect(moves()).toEqual([
    ['a', false, true],
    ['b', true, true],
    ['c', true, false],
  ]);
  expect(pins.beside('c', -1, isThere)).toBe('b');
  pins.swap('c', 'b');
  expect(pins.list()).toEqual(['gone', 'a', 'c', 'lost', 'b', 'away']);
  for (const name of ['a', 'c']) pins.remove(name);
  expect(moves()).toEqual([['b', false, false]]);
  expect(pinRow(pins, 'c', isThere)).toBe(treeItems.tool);
});
