import { fileURLToPath } from 'node:url';
import type { Operation } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import {
  commitRelease,
  filesToPublish,
  publish,
  push,
  tagRelease,
  takeCommitBack,
  takeTagBack,
} from './effects.ts';
import { type Facts, lookAt } from './look.ts';
import { draftNotes } from './notes.ts';
import { askPlan, type Plan, questions, type ReleaseContext } from './questions.ts';

/**
 * Releases an npm package: notes drafted from the commits, version and notes edited, then a commit, a tag, and, after a second yes,
 * npm and the remote. Until npm has it, everything can be taken back, and is where something fails.
 */
export const release = createMcpTool('release')
  .description(
    'Releases the npm package in a git repository, together with the user. It drafts release notes from the commits since the last tag, ' +
      'lets the user edit version and notes, commits and tags, shows which files npm would publish, and publishes and pushes after a second yes. ' +
      'Commit all changes before. Returns {"status": "released", …}, or "not_released" when the user does not want to: do not try again then.',
  )
  .parameters(
    z.object({
      folder: z.string().optional().meta({
        title: 'Folder',
        description: 'Of the package; that of the workspace where left out',
        pick: 'folder',
      }),
    }),
  )
  .output(
    z.object({
      status: z.enum(['released', 'not_released']),
      summary: z.string(),
      version: z.string().optional(),
      tag: z.string().optional(),
      pushed: z.boolean().optional(),
    }),
  )
  .annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true })
  .title('Release')
  .icon('rocket')
  .summary('Drafts notes from the commits; you edit them; then it commits, tags and publishes.')
  .requires({ elicitation: true })
  .durable()
  .elicits(questions)
  .execute(function* ({ folder: given }, ctx) {
    const folder = given ?? (yield* folderOf(ctx));
    const facts = yield* ctx.step('look', () => lookAt(folder), { reads: true });
    if (facts.commits.length === 0) return notReleased(`Nothing was committed since ${facts.lastTag}`);

    const plan = yield* askPlan(facts, yield* draftNotes(facts, ctx), ctx);
    if (!plan) return notReleased('The release was cancelled');
    const tag = `v${plan.version}`;

    yield* ctx.notify(`Tagging ${tag}`);
    const today = yield* ctx.step('today', () => new Date().toISOString().slice(0, 10), { reads: true });
    const commit = yield* ctx.step('commit', () => commitRelease(folder, facts, plan, today), {
      undo: (made) => takeCommitBack(folder, made),
    });
    // Until npm has it, every way out undoes both.
    let isPushed = facts.remote !== undefined;
    try {
      yield* ctx.step('tag', () => tagRelease(folder, tag, plan.notes, commit.made), {
        undo: (made) => takeTagBack(folder, made),
      });
      const sure = yield* askToPublish(folder, facts, plan, ctx);
      if (!sure) {
        yield* ctx.rollback();
        return notReleased(
          `${facts.name} ${plan.version} was not published; its commit and tag were taken back`,
        );
      }
      isPushed &&= sure.push;
      yield* ctx.notify(`Publishing ${facts.name} ${plan.version}`);
      yield* ctx.step('publish', ({ attempt }) => publish(folder, facts, plan.version, attempt));
    } catch (error) {
      yield* ctx.rollback();
      throw error;
    }
    if (isPushed) yield* pushRelease(folder, facts, plan.version, ctx);
    return {
      status: 'released' as const,
      summary: `${facts.name} ${plan.version} is published${isPushed ? ` and pushed to ${facts.remote}` : ''}.`,
      version: plan.version,
      tag,
      pushed: isPushed,
    };
  });

/** The second yes, with all files that leave this machine. */
function* askToPublish(
  folder: string,
  facts: Facts,
  { version }: Plan,
  ctx: ReleaseContext,
): Operation<{ push: boolean } | undefined> {
  const files = yield* ctx.step('pack', () => filesToPublish(folder), { reads: true });
  const answer = yield* ctx.elicit('publish', {
    message: `Publish ${facts.name} ${version} with ${files.length} files? A version can be published only once.`,
    values: { push: facts.remote !== undefined },
    tag: `v${version}`,
    ...(facts.remote !== undefined && { remote: facts.remote }),
    files,
  });
  return answer.action === 'accept' ? answer.content : undefined;
}

/** A push that fails takes nothing back: the package is out. */
function* pushRelease(
  folder: string,
  { name, branch, remote = '' }: Facts,
  version: string,
  ctx: ReleaseContext,
) {
  yield* ctx.notify(`Pushing v${version} to ${remote}`);
  try {
    yield* ctx.step('push', () => push(folder, remote, branch, `v${version}`));
  } catch (cause) {
    const how = `git push --atomic ${remote} ${branch} v${version}`;
    throw new Error(`${name} ${version} is published, but could not be pushed. Push it by hand: ${how}`, {
      cause,
    });
  }
}

/** The folder that the caller works in; there has to be one. */
function* folderOf(ctx: ReleaseContext): Operation<string> {
  const roots = ctx.capabilities.roots ? yield* ctx.roots() : [];
  const [root] = roots;
  if (root === undefined || roots.length > 1) {
    throw new Error(`${roots.length} folders are open: say which package to release in "folder".`);
  }
  return fileURLToPath(root.uri);
}

function notReleased(why: string) {
  return { status: 'not_released' as const, summary: `${why}. Nothing was published.` };
}
