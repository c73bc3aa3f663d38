import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createProgressEncoder } from '#src/mcp/wire/progress.ts';

it('says nothing where there is nothing to say', () => {
  expect(createProgressEncoder('t')({ message: '', value: 0.5 })).toEqual({
    progressToken: 't',
    progress: 0.5,
  });
});

it('passes numbers on as they are while they rise', () => {
  const encode = createProgressEncoder(0);
  expect(encode({ message: 'a', value: 0, total: 100 })).toEqual({
    progressToken: 0,
    progress: 0,
    total: 100,
    message: 'a',
  });
  expect(encode({ value: 50, total: 100 })).toEqual({ progressToken: 0, progress: 50, total: 100 });
  expect(encode({ value: 100, total: 100 })).toEqual({ progressToken: 0, progress: 100, total: 100 });
});

it('counts while nobody names a number', () => {
  const encode = createProgressEncoder('t');
  expect([encode({ message: 'a' }), encode({ message: 'b' })].map(({ progress }) => progress)).toEqual([
    0, 1,
  ]);
});

it('moves by next to nothing between numbers, so that a heartbeat says nothing about how far it is', () => {
  const encode = createProgressEncoder('t');
  encode({ value: 1, total: 4 });
  const beat = encode({ message: 'waiting' });
  expect(beat.progress).toBeGreaterThan(1);
  expect(beat.progress).toBeLessThan(1.001);
  expect(encode({ value: 2, total: 4 }).progress).toBe(2);
});

it('leaves a tool its own numbers and its own count, however often it beat before', () => {
  for (const [first, second] of [[0, 0.1] as const, [1, 2] as const]) {
    const encode = createProgressEncoder('t');
    for (let beat = 0; beat < 1_000; beat++) encode({ message: 'running', beat: true });
    const zero = encode({ value: first, total: 2 });
    expect(zero.progress).toBeCloseTo(first, 2);
    expect(zero.total).toBe(2);
    expect(encode({ value: second, total: 2 })).toMatchObject({ progress: second, total: 2 });
  }
  const encode = createProgressEncoder('t');
  encode({ beat: true });
  expect([encode({ message: 'a' }), encode({ message: 'b' })].map(({ progress }) => progress)).toEqual([
    1, 2,
  ]);
});

it('rises, whatever a tool reports', () => {
  const report = fc.record(
    {
      value: fc.double({ noNaN: false, min: -1000, max: 1000 }),
      total: fc.double({ min: 0, max: 1000, noNaN: true }),
      beat: fc.constant(true as const),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(report, { maxLength: 50 }), (reports) => {
      const encode = createProgressEncoder('t');
      let last = Number.NEGATIVE_INFINITY;
      for (const one of reports) {
        const { progress, total } = encode(one);
        expect(progress).toBeGreaterThan(last);
        if (total !== undefined) expect(progress).toBeLessThanOrEqual(total);
        last = progress;
      }
    }),
  );
});
