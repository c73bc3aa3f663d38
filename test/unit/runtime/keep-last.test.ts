import { describe, expect, it } from 'vitest';
import { keepLast } from '#src/runtime/data/keep-last.ts';

describe('a map that keeps what was used last', () => {
  it('forgets what has not been used for longest, and says so', () => {
    const map = new Map<string, number>();
    for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) keepLast(map, [key, at], 2);
    expect([...map]).toEqual([
      ['a', 2],
      ['c', 3],
    ]);
    expect(keepLast(map, ['d', 4], 2)).toEqual([2]);
  });

  it('passes over what may not go, and is as small again as it may be once that may', () => {
    const map = new Map([
      ['busy', { busy: true }],
      ['idle', { busy: false }],
    ]);
    const put = (key: string, busy: boolean) => keepLast(map, [key, { busy }], 2, (one) => !one.busy);
    put('new', true);
    expect([...map.keys()]).toEqual(['busy', 'new']);
    put('newer', true);
    expect([...map.keys()]).toEqual(['busy', 'new', 'newer']);
    for (const one of map.values()) one.busy = false;
    put('newest', false);
    expect([...map.keys()]).toEqual(['newer', 'newest']);
  });

  it('never forgets the one that it was just given', () => {
    const map = new Map<string, number>();
    expect(keepLast(map, ['a', 1], 0)).toEqual([]);
    expect([...map.keys()]).toEqual(['a']);
  });
});
