import type { Operation } from 'effection';
import { suspicionOf } from '../../core/messages/secrets/secrets.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Suspicion } from '../ask-about-secrets.ts';
import type { ChangedFile } from './changed-file.ts';
import { repositoryAt } from './choose-repository.ts';

/** What a model may read of a file. */
export interface FileDiff {
  readonly path: string;
  /** Empty for one that may hold a secret: what nobody has allowed a model to read is not kept either. */
  readonly text: string;
  /** Why it may hold a secret, in a few words. */
  readonly suspicion?: string;
}

/** Characters of all diffs together, and of one of them: a model needs the gist. */
const MOST_DIFF = 24_000;
const MOST_OF_ONE = 6000;

/**
 * Reads the diffs of the files, as far as they fit together; of the rest nothing is read. What looks as if it held a secret
 * is given of the `allowed` paths alone.
 */
export function* readDiffs(
  root: string,
  files: readonly ChangedFile[],
  allowed: ReadonlySet<string>,
): Operation<readonly FileDiff[]> {
  const repository = yield* repositoryAt(root);
  const diffs: FileDiff[] = [];
  let left = MOST_DIFF;
  for (const { path, staged, from } of files) {
    const most = Math.min(left, MOST_OF_ONE);
    const text = most > 0 ? yield* repository.diff({ path, staged, most }) : '';
    left -= text.length;
    // Each line of a diff begins with its sign.
    const lines = text.replace(/^[-+ ]/gm, '');
    const suspicion = suspicionOf(from === undefined ? [path] : [path, from], lines);
    const told = suspicion === undefined || allowed.has(path) ? text : '';
    diffs.push({ path, text: told, ...defined({ suspicion }) });
  }
  return diffs;
}

/** The files whose diffs look as if they held secrets. */
export function suspicionsOf(diffs: readonly FileDiff[]): Suspicion[] {
  return diffs.flatMap(({ path, suspicion: why }) => (why === undefined ? [] : [{ path, why }]));
}
