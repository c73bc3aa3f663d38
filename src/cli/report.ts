import { relative } from 'node:path';
import type { Problem } from '../workspace/registry/problem.ts';
import { terminalLine } from './terminal-text.ts';

/** Problems as lines for a terminal: `file:line:column: error: message`, and related places below. */
export function problemLines(problems: readonly Problem[], cwd: string): readonly string[] {
  return problems.flatMap((problem) => [
    ...linesOf(`${placeOf(problem, cwd)}: ${problem.severity}: ${problem.message}`),
    ...(problem.related ?? []).flatMap((related) =>
      linesOf(`    ${placeOf(related, cwd)}: ${related.message}`),
    ),
  ]);
}

/** Text of several lines: only the first stands where ours begin. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line, at) => terminalLine(at === 0 ? line : `    ${line}`));
}

function placeOf({ file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>, cwd: string): string {
  const near = relative(cwd, file);
  return `${near === '' || near.startsWith('..') ? file : near}:${line}:${column}`;
}
