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

/**
 * A tool to see one at work: a question, a wait for the model, a result. It needs no parameters, files or model. No agent gets it:
 * it is run by hand, from the first page.
 */
export const firstTool = createMcpTool('plan_lunch')
  .description('Plans lunch with the user, to show how a tool asks.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Plan lunch')
  .icon('comment-discussion')
  .requires({ elicitation: true })
  .elicits({
    wishes: z.object({
      kitchen: z.enum(['Thai', 'Italian', 'Surprise me']).default('Thai').meta({ title: 'Kitchen' }),
      people: z.int().min(1).max(12).default(2).meta({ title: 'People' }),
      outside: z.boolean().default(true).meta({ title: 'Outside, if it does not rain' }),
    }),
  })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('wishes', {
      message: 'This tool has stopped in the middle, to ask you. What would you like to eat?',
    });
    if (answer.action !== 'accept')
      return `You answered “${answer.action}”: no lunch today. A tool hears that, too.`;

    const { kitchen, people, outside } = answer.content;
    yield* ctx.notify('Asking the model where to go');
    const tip = yield* tipFor(`${kitchen}, ${people} people, ${outside ? 'outside' : 'inside'}`, ctx);
    return `Lunch for ${people}: ${kitchen}, ${outside ? 'outside' : 'inside'}.${tip}`;
  });

/** What the model says to it; nothing when there is none, or it fails: lunch goes on. */
function* tipFor(wishes: string, ctx: Asks): Operation<string> {
  try {
    const prompt = `Give one tip for a lunch: ${wishes}. One sentence, without a preamble.`;
    const { text } = yield* ctx.sample({ prompt, maxTokens: 100 });
    return `\n\nThe model adds: ${text.trim()}`;
  } catch (error) {
    if (!isParleyError(error)) throw error;
    yield* ctx.log('warning', `no tip: ${error.message}`);
    return '\n\nNo language model was there to add a tip. Tools that can do without one go on.';
  }
}
