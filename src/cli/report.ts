import { relative } from 'node:path';
import type { Problem } from '../workspace/registry/problem.ts';

/** Problems as lines for a terminal: `file:line:column: error: message`, and related places below. */
export function problemLines(problems: readonly Problem[], cwd: string): readonly string[] {
  return problems.flatMap((problem) => [
    `${placeOf(problem, cwd)}: ${problem.severity}: ${problem.message}`,
    ...(problem.related ?? []).map((related) => `    ${placeOf(related, cwd)}: ${related.message}`),
  ]);
}

function placeOf({ file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>, cwd: string): string {
  const near = relative(cwd, file);
  return `${near === '' || near.startsWith('..') ? file : near}:${line}:${column}`;
}
