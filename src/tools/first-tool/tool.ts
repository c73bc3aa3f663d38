import type { Operation } from 'effection';
import * as z from 'zod';
import { isParleyError } from '../../core/errors/errors.ts';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';

/** What the model is asked, and what happens without one. */
interface Asks {
  sample(request: {
    readonly prompt: string;
    readonly maxTokens: number;
  }): Operation<{ readonly text: string }>;
  log(level: 'warning', message: string): Operation<void>;
}

/** Says a text in the language of the person, with what is put into it. */
type Say = (text: string, ...values: string[]) => string;

/**
 * A tool to see one at work: a question, a wait for the model, a result. It needs no parameters, files or model. No agent gets it:
 * it is run by hand, from the first page, and so its result is in the language of the person.
 */
export const createFirstTool = (t: Say) =>
  createMcpTool('plan_lunch')
    .description('Plans lunch with the user, to show how a tool asks.')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true, openWorldHint: false })
    .title(t('Plan lunch'))
    .icon('comment-discussion')
    .requires({ elicitation: true })
    .elicits({
      wishes: z.object({
        kitchen: z.enum(['Thai', 'Italian', 'Surprise me']).default('Thai').meta({ title: 'Cuisine' }),
        people: z.int().min(1).max(12).default(2).meta({ title: 'People' }),
        outside: z.boolean().default(true).meta({ title: 'Outside, if it is dry' }),
      }),
    })
    .execute(function* (_, ctx) {
      const answer = yield* ctx.elicit('wishes', {
        message: 'This tool paused to ask you: what would you like to eat?',
      });
      if (answer.action === 'decline') return t('Declined: no lunch today. The tool is told that, too.');
      if (answer.action === 'cancel') return t('Cancelled: no lunch today. The tool is told that, too.');

      const { kitchen, people, outside } = answer.content;
      yield* ctx.notify(t('Asking the model for a tip'));
      const tip = yield* tipFor(`${kitchen}, ${people} people, ${outside ? 'outside' : 'inside'}`, ctx, t);
      const dish = { Thai: t('Thai'), Italian: t('Italian'), 'Surprise me': t('Surprise me') }[kitchen];
      const lunch = outside
        ? t('Lunch for {0}: {1}, outside.', `${people}`, dish)
        : t('Lunch for {0}: {1}, inside.', `${people}`, dish);
      return `${lunch}\n\n${tip}`;
    });

/** Why there is no tip, as far as the person can do something about it. */
function withoutTip(code: string, t: Say): string {
  switch (code) {
    case 'SAMPLING_NO_MODEL':
    case 'CAPABILITY':
      return t('No language model was available to add a tip. Tools that do not need one continue.');
    case 'SAMPLING_QUOTA':
      return t('No tip: the language model takes no more requests for now. The tool continued without it.');
    case 'SAMPLING_REFUSED':
      return t(
        'No tip: the request to the language model was blocked or not allowed. The tool continued without it.',
      );
    default:
      return t('No tip: the language model could not be reached or failed. The tool continued without it.');
  }
}

/** What the model says to it; nothing when there is none, or it fails: lunch goes on. */
function* tipFor(wishes: string, ctx: Asks, t: Say): Operation<string> {
  try {
    const prompt = `Give one tip for a lunch: ${wishes}. One sentence, without a preamble.`;
    const { text } = yield* ctx.sample({ prompt, maxTokens: 100 });
    return t('The model adds: {0}', text.trim());
  } catch (error) {
    if (!isParleyError(error)) throw error;
    yield* ctx.log('warning', `no tip: ${error.message}`);
    return withoutTip(error.code, t);
  }
}
