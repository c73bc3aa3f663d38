import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#src/core/messages/json.ts';
import { createCarriedCodec } from '#src/mcp/wire/state/carried-state.ts';
import { digestOf, invalidState, newRound, type StateBinding } from '#src/mcp/wire/state/state.ts';
import { createKeyRing } from '#src/node/key-ring.ts';

const key = randomBytes(32);
const codec = createCarriedCodec(createKeyRing([key]));
const binding: StateBinding = {
  principal: 'ann',
  method: 'tools/call',
  name: 'greet',
  digest: digestOf({ a: 1 }),
};
const LATER = 2000;
const NOW = 1000;

function sealed(call: JsonValue, by = codec): string {
  const state = by.seal(call, binding, LATER);
  if (state === undefined) throw new Error('too long');
  return state;
}

/** Every refusal says the same. */
function refuses(state: unknown, { by = codec, to = binding, now = NOW } = {}): void {
  const refusal = (() => {
    try {
      return by.open(state, to, now);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toEqual(invalidState());
}

describe('a call that its client carries', () => {
  test('property: comes back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const call = JSON.parse(JSON.stringify(value));
        expect(codec.open(sealed(call), binding, NOW)).toEqual(call);
      }),
    );
  });

  test('goes on at any server with the key, and after a change of keys', () => {
    const state = sealed(['call']);
    const next = randomBytes(32);
    const replica = createCarriedCodec(createKeyRing([key]));
    const rotated = createCarriedCodec(createKeyRing([next, key]));
    expect(replica.open(state, binding, NOW)).toEqual(['call']);
    expect(rotated.open(state, binding, NOW)).toEqual(['call']);
    refuses(sealed(['call'], rotated));
    refuses(state, { by: createCarriedCodec(createKeyRing([next])) });
  });

  test('goes on at one server from any number of others, in any order', () => {
    const states = Array.from({ length: 100 }, (_, n) =>
      sealed([n], createCarriedCodec(createKeyRing([key]))),
    );
    for (const round of [states, states.toReversed()]) {
      for (const state of round) expect(codec.open(state, binding, NOW)).toEqual([states.indexOf(state)]);
    }
  });

  test('is for one principal, method, name and arguments, until it expires', () => {
    const state = sealed(['call']);
    for (const other of [
      { principal: 'bob' },
      { method: 'prompts/get' },
      { name: 'other' },
      { digest: digestOf({ a: 2 }) },
    ]) {
      refuses(state, { to: { ...binding, ...other } });
    }
    refuses(state, { now: LATER });
  });

  test('property: changed anywhere, it is refused', () => {
    const state = sealed({ lines: ['answer', { value: 42 }] });
    fc.assert(
      fc.property(fc.nat(state.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
        const changed = state.slice(0, at) + char + state.slice(at + 1);
        if (changed !== state) refuses(changed);
      }),
      { numRuns: 500 },
    );
    for (let length = 0; length < state.length; length += 1) refuses(state.slice(0, length));
    refuses(`${state}A`);
    refuses(`${state}=`);
  });

  test('what is no state at all is refused alike, however long it is', () => {
    for (const none of [undefined, null, 7, {}, [], '', 'c1.', `c1.aaaaaaaa.${'A'.repeat(10_000_000)}`])
      refuses(none);
    refuses(newRound('call-1'));
  });

  test('tells nothing of what it holds, but about how much', () => {
    const secret = 'tell nobody '.repeat(20);
    const state = sealed({ secret });
    const bytes = Buffer.from(state.split('.')[2] ?? '', 'base64url').toString('latin1');
    expect(bytes).not.toContain('tell');
    expect(sealed({ secret: 'a' })).toHaveLength(sealed({ secret: 'abcdefgh' }).length);
    expect(sealed({ secret })).not.toBe(state);
  });

  test('one that would be too long to carry is not sealed', () => {
    expect(codec.seal(randomBytes(30_000).toString('base64'), binding, LATER)).toBeUndefined();
    const most = sealed(randomBytes(15_000).toString('base64'));
    expect(most.length).toBeLessThanOrEqual(32 * 1024);
    expect(codec.open(most, binding, NOW)).toHaveLength(20_000);
  });

  test('a million of the same letter are a short state, and more than memory holds are not unfolded', () => {
    expect(sealed('a'.repeat(1_000_000)).length).toBeLessThan(4096);
    refuses(codec.seal('a'.repeat(17 * 2 ** 20), binding, LATER));
  });
});
