import { readFile } from 'node:fs/promises';
import { forgottenIn, forgottenText } from '../../source/forgotten.ts';
import { slipsIn } from '../../source/slips.ts';
import type { Problem } from '../registry/problem.ts';

/** The verbs in these files that are called without `yield*`, and other usual slips, where their author wrote them; packages are not looked at. */
export async function forgottenProblems(files: Iterable<string>): Promise<readonly Problem[]> {
  const own = [...files].filter(
    (file) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(file) && !/[\\/]node_modules[\\/]/.test(file),
  );
  const found = await Promise.all(
    own.map(async (file) => problemsIn(file, await readFile(file, 'utf8').catch(() => ''))),
  );
  return found.flat();
}

function problemsIn(file: string, code: string): readonly Problem[] {
  const problem = (kind: 'forgotten' | 'slip', start: number, length: number, message: string): Problem => {
    const before = code.slice(0, start).split('\n');
    const [last = ''] = before.slice(-1);
    return {
      kind,
      severity: 'warning',
      file,
      line: before.length,
      column: last.length + 1,
      length,
      message,
    };
  };
  return [
    ...forgottenIn(code).map((one) => problem('forgotten', one.start, one.verb.length, forgottenText(one))),
    ...slipsIn(code).map(({ start, length, message }) => problem('slip', start, length, message)),
  ];
}
