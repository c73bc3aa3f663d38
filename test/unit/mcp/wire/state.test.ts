import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { callOf, digestOf, newRound } from '#src/mcp/wire/state/state.ts';

it('names its call in a request state, and nothing that anybody could guess the next from', () => {
  const [one, two] = [newRound('call_1'), newRound('call_1')];
  expect(one).not.toBe(two);
  expect([callOf(one), callOf(two)]).toEqual(['call_1', 'call_1']);
});

it('reads no call from what is no request state', () => {
  for (const none of ['', 's1..', `s1.${'A'.repeat(5000)}.${'A'.repeat(22)}`])
    expect(callOf(none)).toBeUndefined();
  fc.assert(fc.property(fc.anything(), (value) => callOf(value) === undefined));
});

it('digests arguments whatever the order of their keys', () => {
  expect(digestOf({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
    digestOf({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
  );
  expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }));
  expect(digestOf(undefined)).toBe(digestOf(null));
});
