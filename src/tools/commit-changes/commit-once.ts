import type { Operation } from 'effection';
import type { ChangedFile } from './changed-file.ts';
import { repositoryAt } from './choose-repository.ts';
import type { CommitContext } from './questions.ts';

/**
 * Commits exactly these files: the one thing that this tool does to the world, and its last.
 *
 * A step that was cut short runs again. Nobody can tell git that it is the same commit, so where the head has moved
 * meanwhile the person is told to look, and nothing is committed a second time.
 *
 * @returns the commit's full hash
 */
export function* commitOnce(
  root: string,
  message: string,
  files: readonly ChangedFile[],
  ctx: CommitContext,
): Operation<string> {
  const head = yield* ctx.step('read the head', () => headOf(root), { reads: true });
  return yield* ctx.step('commit', function* ({ attempt }) {
    const repository = yield* repositoryAt(root);
    if (attempt > 1 && (yield* headOf(root)) !== head) {
      throw new Error(
        'Parley ended while git was committing, and the branch has a commit since then: it is most likely this one. ' +
          'Look at the log of git; nothing was committed again.',
      );
    }
    return yield* repository.commit(
      message,
      files.map(({ number: _, ...change }) => change),
    );
  });
}

function* headOf(root: string): Operation<string | undefined> {
  return yield* (yield* repositoryAt(root)).head();
}
