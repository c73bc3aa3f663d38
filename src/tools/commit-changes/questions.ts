import type { Operation } from 'effection';
import * as z from 'zod';
import type { ToolContext } from '../../core/tool/context.ts';
import { type ChangedFile, changedFile, LONGEST_PICKS, readPicks, suggested } from './changed-file.ts';
import { type CommitMessage, joinMessage } from './commit-message.ts';

/** What the tool asks by a view. The files go along as context; where there is no view, their numbers are typed. */
export const questions = {
  chooseFiles: {
    response: z
      .object({
        files: z.string().max(LONGEST_PICKS).meta({
          title: 'Files',
          description: '“all”, “staged”, or their numbers, such as 1, 3-5',
        }),
      })
      .meta({ decline: false }),
    context: z.object({
      branch: z.string(),
      files: z.array(changedFile),
      suggested: z.array(z.int()),
    }),
  },
};

/** Through what the tool talks. */
export type CommitContext = ToolContext<typeof questions>;

/** How often to ask for numbers that exist. */
const TRIES = 3;

/** Asks which files to commit; `undefined` when the person does not want to. */
export function* chooseFiles(
  files: readonly ChangedFile[],
  { branch, named }: { readonly branch: string; readonly named: readonly string[] | undefined },
  ctx: CommitContext,
): Operation<readonly ChangedFile[] | undefined> {
  let problem = '';
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('chooseFiles', {
      message: `${problem}Choose the files to commit on ${branch}`,
      branch,
      files: [...files],
      suggested: suggested(files, named),
    });
    if (answer.action !== 'accept') return undefined;
    const picked = readPicks(answer.content.files, files);
    if (typeof picked !== 'string') return picked;
    problem = `${picked} `;
  }
  return undefined;
}

/** Shows the message for the person to change. Known only now, so it is a form on every surface. */
export function* editMessage(
  draft: CommitMessage,
  what: string,
  ctx: CommitContext,
): Operation<string | undefined> {
  const subject = z
    .string()
    .min(1)
    .max(150)
    .regex(/\S/, 'must not be empty')
    .meta({ title: 'Subject', description: 'Summary of the commit, in one line' });
  const body = z
    .string()
    .max(5000)
    .meta({ title: 'Body', description: 'Reason, if not clear from the subject' });
  const answer = yield* ctx.elicit({
    message: `Commit ${what}`,
    schema: z
      .object({
        subject: draft.subject === '' ? subject : subject.default(draft.subject),
        body: draft.body === '' ? body.optional() : body.default(draft.body),
      })
      .meta({ action: 'Commit', decline: false }),
  });
  if (answer.action !== 'accept') return undefined;
  return joinMessage({ subject: answer.content.subject, body: answer.content.body ?? '' });
}
