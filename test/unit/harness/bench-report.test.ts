import { describe, expect, it } from 'vitest';
import { limitRow, ratioRow, spread } from '#test/bench/report.ts';

describe('a figure of the bench', () => {
  it('is printed as least, median and most, or alone where it was measured once', () => {
    expect(spread([3, 1, 2])).toBe('1 · 2 · 3');
    expect(spread([1.25], 1)).toBe('1.3');
  });

  it('meets its target by its median', () => {
    expect(limitRow('a call', [90, 101, 400], 100, 'ms')).toMatchObject({ met: false });
    expect(limitRow('a call', [90, 99, 400], 100, 'ms')).toMatchObject({ met: true });
  });

  it('that is a ratio says the same as the medians beside it, however the rounds differ', () => {
    // Most rounds have the second one dearer by half, and yet both take as long in the middle.
    const [base, own] = [
      [57, 38, 30, 80, 90],
      [56, 57, 45, 120, 40],
    ];
    expect(ratioRow('a call', own, base, { target: 1.1 })).toEqual({
      what: 'a call',
      figure: '0.44 · 0.98 · 1.50×',
      target: '≤ 1.1×',
      met: true,
    });
  });
});
