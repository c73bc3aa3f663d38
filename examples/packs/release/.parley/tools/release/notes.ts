import type { Operation } from 'effection';
import { isParleyError } from 'parley-mcp';
import type { Facts } from './look.ts';
import type { ReleaseContext } from './questions.ts';

/** More of them a model does not read well. */
const MOST_FOR_A_MODEL = 150;

/** Drafts the notes: by a model, or, where there is none, as a list of the commits. */
export function* draftNotes({ name, commits }: Facts, ctx: ReleaseContext): Operation<string> {
  const list = commits.map(({ subject }) => `- ${subject}`);
  if (!ctx.capabilities.sampling) return list.join('\n');
  yield* ctx.notify('Drafting the release notes');
  try {
    const { text } = yield* ctx.sample({
      systemPrompt:
        'You write release notes for the users of a package: what they can do now, what was mended, what breaks. ' +
        'Markdown, headings ### Added, ### Fixed, ### Changed where there is something, one line for each change, ' +
        'no commit hashes. What users do not notice (tests, refactoring, CI) is left out.',
      prompt: `Write the release notes of ${name} from these commits:\n${list.slice(0, MOST_FOR_A_MODEL).join('\n')}`,
      maxTokens: 1500,
    });
    return text.trim() || list.join('\n');
  } catch (error) {
    // Notes can be written by hand: a model that refuses must not cost anybody the release.
    if (!isParleyError(error)) throw error;
    yield* ctx.log('warning', `the notes are a list of commits: ${error.message}`);
    return list.join('\n');
  }
}
