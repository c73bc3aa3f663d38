import type { Operation } from 'effection';
import * as z from 'zod';
import type { GitRepository } from '../../core/editor/editor-git.ts';
import { isSecretFile, secretLines } from '../../core/messages/secrets.ts';
import type { ChangedFile } from './changed-file.ts';
import type { CommitContext } from './questions.ts';

/** What a model may read of a file. */
export interface FileDiff {
  readonly file: ChangedFile;
  readonly text: string;
  /** Why it may hold a secret, in a few words. */
  readonly suspicion?: string;
}

/** Characters of all diffs together, and of one of them: a model needs the gist. */
const MOST_DIFF = 24_000;
const MOST_OF_ONE = 6000;
/** Files that are named in the question. */
const MOST_NAMED = 10;

/** Reads the diffs of the files, as far as they fit together; of the rest nothing is read. */
export function* readDiffs(
  repository: GitRepository,
  files: readonly ChangedFile[],
): Operation<readonly FileDiff[]> {
  const diffs: FileDiff[] = [];
  let left = MOST_DIFF;
  for (const file of files) {
    const { path, staged, from } = file;
    const most = Math.min(left, MOST_OF_ONE);
    const text = most > 0 ? yield* repository.diff({ path, staged, most }) : '';
    left -= text.length;
    const suspicion = suspicionOf([path, ...(from === undefined ? [] : [from])], text);
    diffs.push({ file, text, ...(suspicion === undefined ? {} : { suspicion }) });
  }
  return diffs;
}

/**
 * Whether everything may go to the model: asked when something looks like a secret, and a no unless the person says yes.
 *
 * @returns `undefined` when the person cancelled.
 */
export function* maySend(diffs: readonly FileDiff[], ctx: CommitContext): Operation<boolean | undefined> {
  const suspicious = diffs.filter(({ suspicion }) => suspicion !== undefined);
  if (suspicious.length === 0) return true;
  const named = suspicious.slice(0, MOST_NAMED).map(({ file, suspicion }) => `${file.path} (${suspicion})`);
  const more = suspicious.length > MOST_NAMED ? ` and ${suspicious.length - MOST_NAMED} more` : '';
  const answer = yield* ctx.elicit({
    message: `These changes look as if they hold secrets: ${named.join(', ')}${more}. A model is about to draft the commit’s message.`,
    schema: z.object({
      send: z.boolean().default(false).meta({
        title: 'Let the model read these changes, too',
        description: 'Without it the model drafts the message from the other files.',
      }),
    }),
  });
  if (answer.action === 'cancel') return undefined;
  return answer.action === 'accept' && answer.content.send;
}

function suspicionOf(paths: readonly string[], diff: string): string | undefined {
  if (paths.some(isSecretFile)) return 'by its name';
  // Each line of a diff begins with its sign.
  const lines = secretLines(diff.replace(/^[-+ ]/gm, ''));
  return lines.length > 0 ? `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}` : undefined;
}
