/** A scenario as the suite's summary tells of it. */
export interface Scenario {
  readonly name: string;
  /** Checks that passed and failed. A scenario that checked nothing has shown nothing. */
  readonly passed: number;
  readonly failed: number;
  /** Whether the requirement set counts it. */
  readonly scored: boolean;
}

/** Reads the summary that the suite prints at its end. Every scenario that ran is in it, once. */
export function readSummary(lines: readonly string[]): readonly Scenario[] {
  const unscored = new Set<string>();
  const found = new Map<string, { readonly passed: number; readonly failed: number }>();
  for (const line of lines) {
    const [, name] = /^ {2}[✓✗] (\S+) \(/.exec(line) ?? [];
    if (name) unscored.add(name);
    const [, scenario, passed, failed] = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/.exec(line) ?? [];
    if (scenario) found.set(scenario, { passed: Number(passed), failed: Number(failed) });
  }
  return [...found].map(([name, counts]) => ({ name, ...counts, scored: !unscored.has(name) }));
}

/** Whether it checked something, and nothing failed. */
export function isPassed({ passed, failed }: Scenario): boolean {
  return passed > 0 && failed === 0;
}

/** What a run comes to, held against the scenarios that are known not to pass. */
export interface Verdict {
  readonly passed: readonly string[];
  /** Scenarios that failed, or checked nothing, and are no known gap. */
  readonly failed: readonly string[];
  /** Known gaps that were run. */
  readonly gaps: readonly string[];
  /** Known gaps that passed: the list of gaps is not true any more. */
  readonly closed: readonly string[];
}

/** A scored scenario is never a gap. */
export function judge(scenarios: readonly Scenario[], gaps: Readonly<Record<string, string>>): Verdict {
  const names = (list: readonly Scenario[]) => list.map(({ name }) => name);
  const isGap = ({ name, scored }: Scenario) => !scored && Object.hasOwn(gaps, name);
  const good = scenarios.filter(isPassed);
  const bad = scenarios.filter((scenario) => !isPassed(scenario));
  return {
    passed: names(good),
    failed: names(bad.filter((scenario) => !isGap(scenario))),
    gaps: names(bad.filter(isGap)),
    closed: names(good.filter(({ name }) => Object.hasOwn(gaps, name))),
  };
}
