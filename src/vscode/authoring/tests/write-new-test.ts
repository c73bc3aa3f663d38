import { dirname, join } from 'node:path';
import type { Operation } from 'effection';
import { makePlainFolder, writeNew } from '../../../workspace/scaffold/index.ts';

/** Writes a test into `tests` of a `.parley`, beside those that are there. Gives its path. @throws `LinkedPathError` */
export function* writeNewTest(home: string, toolName: string, text: string): Operation<string> {
  const tests = join(home, 'tests');
  yield* makePlainFolder(dirname(home), tests);
  for (let number = 1; ; number++) {
    const path = join(tests, `${toolName}${number === 1 ? '' : `-${number}`}.test.ts`);
    if (yield* writeNew(path, text)) return path;
  }
}
