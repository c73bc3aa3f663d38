import type { TestRun } from './runs.ts';

/** A test that failed in some runs. */
export interface Suspect {
  readonly test: string;
  readonly file: string;
  /** In how many of the runs it failed. */
  readonly failed: number;
  readonly runs: number;
  /** What it said, each once. */
  readonly whys: readonly string[];
}

/** Tests that failed, those first that fail least often: the flakiest. One that fails in every run is broken, and no suspect. */
export function suspectsOf(runs: readonly TestRun[]): { flaky: Suspect[]; broken: Suspect[] } {
  const known = new Map<string, { file: string; failed: number; whys: Set<string> }>();
  for (const { test, file, why } of runs.flatMap(({ failed }) => failed)) {
    const one = known.get(test) ?? { file, failed: 0, whys: new Set() };
    one.failed += 1;
    one.whys.add(why);
    known.set(test, one);
  }
  const all = [...known]
    .map(([test, { whys, ...one }]) => ({ test, ...one, runs: runs.length, whys: [...whys].slice(0, 3) }))
    .sort((a, b) => a.failed - b.failed || a.test.localeCompare(b.test));
  return {
    flaky: all.filter(({ failed }) => failed < runs.length),
    broken: all.filter(({ failed }) => failed === runs.length),
  };
}

/** A list of quarantined tests with more of them, and who is to look at each. */
export function quarantineWith(
  before: string,
  entries: readonly { test: string; owner: string }[],
  day: string,
): string {
  const lines = before.split('\n').filter((line) => line.trim() !== '');
  const known = new Set(lines.map((line) => line.split('\t')[0]));
  const added = entries
    .filter(({ test }) => !known.has(test))
    .map(({ test, owner }) => `${test}\t${owner}\t${day}`);
  return `${[...lines, ...added].join('\n')}\n`;
}
