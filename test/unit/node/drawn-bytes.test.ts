import { describe, expect, it } from 'vitest';
import { drawnBytes } from '#src/node/drawn-bytes.ts';

describe('bytes that are drawn a few at a time', () => {
  it('are as many as were asked for, nobody else’s, and stay what they were', () => {
    const drawn = Array.from({ length: 2_000 }, (_, at) => drawnBytes(12 + (at % 5)));
    const then = drawn.map((one) => one.toString('hex'));
    expect(drawn.every(({ length }, at) => length === 12 + (at % 5))).toBe(true);
    expect(new Set(then).size).toBe(drawn.length);
    drawnBytes(10_000);
    expect(drawn.map((one) => one.toString('hex'))).toEqual(then);
  });

  it('may be more than are drawn at once', () => {
    expect(drawnBytes(10_000)).toHaveLength(10_000);
  });
});
