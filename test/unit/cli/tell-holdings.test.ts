import { describe, expect, it } from 'vitest';
import { holdingLines } from '#src/cli/serving/tell-holdings.ts';

describe('what a server says that it holds', () => {
  it('is a line of sums, and one for each principal', () => {
    const holdings = [
      { principal: 'ada', calls: { running: 2, awaiting_elicit: 1 }, oldest: 1_000 },
      { principal: '', calls: { running: 1 }, oldest: 61_000 },
    ];
    expect(holdingLines(holdings, 61_000, 50 * 2 ** 20)).toEqual([
      'calls: 4, principals: 2, memory: 50 MB',
      '  ada: 2 running, 1 awaiting_elicit; the oldest began 60 s ago',
      '  (no name): 1 running; the oldest began 0 s ago',
    ]);
  });

  it('stays short, however many principals there are', () => {
    const holdings = Array.from({ length: 1_000 }, (_, at) => ({
      principal: `p${at}`,
      calls: { running: 1 },
      oldest: 0,
    }));
    const lines = holdingLines(holdings, 0, 0);
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('  and 980 more principals');
  });
});
