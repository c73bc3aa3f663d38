import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStateCodec, digestOf } from '#src/mcp/wire/state/state.ts';

const binding = { principal: 'ada', method: 'tools/call', name: 'book', digest: digestOf({ to: 'LIS' }) };
const handle = { id: 'call_1', round: 3 };
const invalid = expect.objectContaining({
  code: -32602,
  message: 'Invalid or expired requestState: make the call again from the start, without it',
});

describe('a request state', () => {
  const codec = createStateCodec();
  const state = codec.sign(handle, binding, 1000);

  it('opens for the very same call, until it expires', () => {
    expect(codec.open(state, binding, 999)).toEqual(handle);
    expect(() => codec.open(state, binding, 1000)).toThrow(invalid);
  });

  it.each(['principal', 'method', 'name', 'digest'])('does not open for another %s', (field) => {
    expect(() => codec.open(state, { ...binding, [field]: 'another' }, 0)).toThrow(invalid);
  });

  it('does not open after a restart: the key is another', () => {
    expect(() => createStateCodec().open(state, binding, 0)).toThrow(invalid);
  });

  it('does not open when any character of it was changed, added or taken away', () => {
    const at = fc.integer({ min: 0, max: state.length - 1 });
    const character = fc.constantFrom(...'ABCxyz019-_.=+/ ');
    fc.assert(
      fc.property(at, character, fc.constantFrom('change', 'insert', 'remove'), (index, other, how) => {
        const rest = state.slice(how === 'insert' ? index : index + 1);
        const tampered = state.slice(0, index) + (how === 'remove' ? '' : other) + rest;
        fc.pre(tampered !== state);
        expect(() => codec.open(tampered, binding, 0)).toThrow(invalid);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not open for what is no state at all', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => codec.open(value, binding, 0)).toThrow(invalid);
      }),
    );
  });

  it('says nothing of what it is bound to', () => {
    expect(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString()).not.toMatch(/ada|book|LIS/);
  });
});

it('digests arguments whatever the order of their keys', () => {
  expect(digestOf({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
    digestOf({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
  );
  expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }));
  expect(digestOf(undefined)).toBe(digestOf(null));
});
