import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#src/core/messages/json.ts';
import { invalidState } from '#src/mcp/wire/state/bound.ts';
import { createCarriedCodec } from '#src/mcp/wire/state/carried-state.ts';
import { newRound } from '#src/mcp/wire/state/state.ts';

const key = randomBytes(32);
const codec = createCarriedCodec([key]);
const binding = 'ann calls greet';
const LATER = 2000;
const NOW = 1000;

async function sealed(call: JsonValue, by = codec): Promise<string> {
  const state = await by.seal(call, binding, LATER);
  if (state === undefined) throw new Error('too long');
  return state;
}

/** Every refusal says the same. */
async function refuses(state: unknown, { by = codec, to = binding, now = NOW } = {}): Promise<void> {
  await expect(by.open(state, to, now)).rejects.toEqual(invalidState());
}

describe('a call that its client carries', () => {
  test('property: comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const call = JSON.parse(JSON.stringify(value));
        expect(await codec.open(await sealed(call), binding, NOW)).toEqual(call);
      }),
    );
  });

  test('goes on at any server with the key, and after a change of keys', async () => {
    const state = await sealed(['call']);
    const next = randomBytes(32);
    const replica = createCarriedCodec([key]);
    const rotated = createCarriedCodec([next, key]);
    expect(await replica.open(state, binding, NOW)).toEqual(['call']);
    expect(await rotated.open(state, binding, NOW)).toEqual(['call']);
    await refuses(await sealed(['call'], rotated));
    await refuses(state, { by: createCarriedCodec([next]) });
  });

  test('is for what it was made for, until it expires', async () => {
    const state = await sealed(['call']);
    await refuses(state, { to: 'bob calls greet' });
    await refuses(state, { now: LATER });
  });

  test('property: changed anywhere, it is refused', async () => {
    const state = await sealed({ lines: ['answer', { value: 42 }] });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(state.length - 1),
        fc.string({ minLength: 1, maxLength: 1 }),
        async (at, char) => {
          const changed = state.slice(0, at) + char + state.slice(at + 1);
          if (changed !== state) await refuses(changed);
        },
      ),
      { numRuns: 300 },
    );
    for (let length = 0; length < state.length; length += 1) await refuses(state.slice(0, length));
    await refuses(`${state}A`);
    await refuses(`${state}=`);
  });

  test('what is no state at all is refused alike, however long it is', async () => {
    for (const none of [undefined, null, 7, {}, [], '', 'c2.', `c2.${'A'.repeat(10_000_000)}`])
      await refuses(none);
    await refuses(newRound('call-1'));
  });

  test('tells nothing of what it holds, but about how much', async () => {
    const secret = 'tell nobody '.repeat(20);
    const state = await sealed({ secret });
    const bytes = Buffer.from(state.split('.')[1] ?? '', 'base64url').toString('latin1');
    expect(bytes).not.toContain('tell');
    expect(await sealed({ secret: 'a' })).toHaveLength((await sealed({ secret: 'abcdefgh' })).length);
    expect(await sealed({ secret })).not.toBe(state);
  });

  test('one that would be too long to carry is not sealed', async () => {
    expect(await codec.seal(randomBytes(30_000).toString('base64'), binding, LATER)).toBeUndefined();
    const most = await sealed(randomBytes(15_000).toString('base64'));
    expect(most.length).toBeLessThanOrEqual(32 * 1024);
    expect(await codec.open(most, binding, NOW)).toHaveLength(20_000);
  });

  test('a million of the same letter are a short state, and more than memory holds are not unfolded', async () => {
    expect((await sealed('a'.repeat(1_000_000))).length).toBeLessThan(4096);
    await refuses(await codec.seal('a'.repeat(17 * 2 ** 20), binding, LATER));
  });

  test('needs keys of 32 bytes', () => {
    expect(() => createCarriedCodec([])).toThrow('at least one key');
    expect(() => createCarriedCodec([randomBytes(16)])).toThrow('a key has 32 bytes, not 16');
  });
});
