/** One way to do a job. */
export interface Contender {
  readonly name: string;
  run(): Promise<unknown>;
}

/** What a contender took. */
export interface Measured {
  readonly name: string;
  /** Milliseconds a run, in each round. */
  readonly ms: readonly number[];
}

/** How long to measure. */
export interface MeasureOptions {
  readonly rounds?: number;
  /** Milliseconds each contender runs in each round. */
  readonly slice?: number;
}

/** Lets contenders take turns, round by round, after one round to warm up. */
export async function measure(
  contenders: readonly Contender[],
  { rounds = 7, slice = 150 }: MeasureOptions = {},
): Promise<readonly Measured[]> {
  const taken: number[][] = contenders.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const ms = await timeOf(contender, slice);
      if (round >= 0) taken[index]?.push(ms);
    }
  }
  return contenders.map(({ name }, index) => ({ name, ms: taken[index] ?? [] }));
}

async function timeOf({ run }: Contender, slice: number): Promise<number> {
  const start = performance.now();
  let runs = 0;
  do {
    await run();
    runs++;
  } while (performance.now() - start < slice);
  return (performance.now() - start) / runs;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
