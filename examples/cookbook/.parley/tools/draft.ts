import { createMcpTool, isParleyError, type ToolContext } from 'parley-mcp';
import * as z from 'zod';

export const announce = createMcpTool('announce')
  .description('Drafts an announcement, which the user edits.')
  .parameters(z.object({ what: z.string() }))
  .elicits({ text: z.object({ text: z.string().min(1).meta({ title: 'Text', multiline: true }) }) })
  .execute(function* ({ what }, ctx) {
    const { text } = yield* ctx.elicit.strict('text', {
      message: `Announce ${what}?`,
      values: { text: yield* draft(what, ctx) },
    });
    return text;
  });

/** A model's words where there is a model, else nothing: the user writes then. */
function* draft(what: string, { sample }: Pick<ToolContext, 'sample'>) {
  try {
    return (yield* sample({ prompt: `Announce this in two sentences: ${what}`, maxTokens: 100 })).text;
  } catch (error) {
    if (isParleyError(error, 'CAPABILITY') || isParleyError(error, 'SAMPLING_NO_MODEL')) return '';
    throw error;
  }
}
