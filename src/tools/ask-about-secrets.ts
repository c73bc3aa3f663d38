import type { Operation } from 'effection';
import * as z from 'zod';
import type { ElicitResult } from '../core/tool/elicit.ts';

const answer = z.object({
  send: z.boolean().default(false).meta({
    title: 'Let the model read these too',
    description: 'Otherwise, the model does not see them.',
  }),
});

/** What is asked: known only at run time, so it is a form on every surface. */
interface Question {
  readonly message: string;
  readonly schema: typeof answer;
}

/** Files that are named in the question. */
const MOST_NAMED = 10;

/** A file that looks as if it held a secret, and why. */
export interface Suspicion {
  readonly path: string;
  readonly why: string;
}

/**
 * Whether a model may read what looks like a secret: no, unless the person says yes. Nobody is asked about nothing.
 *
 * @param purpose what the model would read it for, as a sentence
 * @returns `undefined` when the person cancelled.
 */
export function* askAboutSecrets(
  suspicions: readonly Suspicion[],
  purpose: string,
  ask: (question: Question) => Operation<ElicitResult<z.infer<typeof answer>>>,
): Operation<boolean | undefined> {
  if (suspicions.length === 0) return true;
  const named = suspicions.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`);
  const more = suspicions.length > MOST_NAMED ? ` and ${suspicions.length - MOST_NAMED} more` : '';
  const said = yield* ask({
    message: `This may contain secrets: ${named.join(', ')}${more}. ${purpose}`,
    schema: answer,
  });
  if (said.action === 'cancel') return undefined;
  return said.action === 'accept' && said.content.send;
}
