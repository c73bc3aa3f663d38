import { expect, it } from 'vitest';
import { createPins } from '#src/vscode/pins/pins.ts';

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
  pins.move('c', -1);
  pins.move('a', -1);
  expect(pins.list()).toEqual(['a', 'c', 'b']);
  pins.put('b', 'a');
  expect(pins.list()).toEqual(['b', 'a', 'c']);
  pins.move('a', 1);
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
